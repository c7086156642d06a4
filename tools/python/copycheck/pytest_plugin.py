"""A fixture for pytest: `copycheck` is copycheck.check, but a kernel that breaks a rule fails the test with what it broke."""
import pytest

import copycheck as package


@pytest.fixture
def copycheck():
    def judged(*args, **words):
        result = package.check(*args, **words)
        if not result:
            pytest.fail(result.text, pytrace=False)
        return result
    return judged
# SPDX-License-Identifier: Apache-2.0
