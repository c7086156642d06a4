// cuBLAS and cuRAND: what a program gets of them. Numbers are small integers, so that every order of sums gives the
// same.
#include "expect.cuh"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <vector>

template <class T> struct on_device {
    T *at;
    size_t count;

    on_device(const std::vector<T> &from) : count(from.size())
    {
        FINE(cudaMalloc(&at, count * sizeof(T)));
        FINE(cudaMemcpy(at, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~on_device()
    {
        cudaFree(at);
    }
    std::vector<T> back() const
    {
        std::vector<T> out(count);
        FINE(cudaMemcpy(out.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
};

// Small integers, other ones for each seed.
template <class T> static std::vector<T> numbers(size_t count, unsigned seed)
{
    std::vector<T> out(count);

    for (size_t i = 0; i < count; i++)
        out[i] = T((float)((i * 7 + seed * 13 + i * i % 5) % 9) - 4);
    return out;
}

template <class T> static double entry(const std::vector<T> &x, int op, int ld, int i, int j)
{
    return (double)(float)(op == CUBLAS_OP_N ? x[i + j * ld] : x[j + i * ld]);
}

// C = 2 op(A) op(B) - C, by one function or another; rows behind those of C stay as they are.
template <class T, class OUT, class CALL> static void gemm(CALL call, int op_a, int op_b)
{
    const int m = 5, n = 7, k = 6, lda = 8, ldb = 9, ldc = 10;
    const std::vector<T> a = numbers<T>(8 * 8, 1), b = numbers<T>(9 * 9, 2);
    const std::vector<OUT> c = numbers<OUT>(ldc * n, 3);
    on_device<T> da(a), db(b);
    on_device<OUT> dc(c);

    EXPECT(call(op_a, op_b, m, n, k, da.at, lda, db.at, ldb, dc.at, ldc) == CUBLAS_STATUS_SUCCESS);
    const std::vector<OUT> got = dc.back();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < ldc; i++) {
            double sum = 0;
            for (int p = 0; p < k && i < m; p++)
                sum += entry(a, op_a, lda, i, p) * entry(b, op_b, ldb, p, j);
            const double before = (double)(float)c[i + j * ldc];
            EXPECT((double)(float)got[i + j * ldc] == (i < m ? 2 * sum - before : before));
        }
}

// The same for three matrices one after the other, and for three of a list.
static void batches(cublasHandle_t h)
{
    enum { SIZE = 4, EACH = SIZE * SIZE, BATCH = 3 };
    const std::vector<float> a = numbers<float>(EACH * BATCH, 4), b = numbers<float>(EACH * BATCH, 5);
    on_device<float> da(a), db(b), dc(std::vector<float>(EACH * BATCH)), dl(std::vector<float>(EACH * BATCH));
    const float one = 1, zero = 0;
    std::vector<float *> la, lb, lc;

    EXPECT(!cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, SIZE, SIZE, SIZE, &one, da.at, SIZE, EACH, db.at,
                                      SIZE, EACH, &zero, dc.at, SIZE, EACH, BATCH));
    for (int i = 0; i < BATCH; i++) {
        la.push_back(da.at + i * EACH);
        lb.push_back(db.at + i * EACH);
        lc.push_back(dl.at + i * EACH);
    }
    on_device<float *> pa(la), pb(lb), pc(lc);
    EXPECT(!cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, SIZE, SIZE, SIZE, &one, pa.at, SIZE, pb.at, SIZE, &zero,
                               pc.at, SIZE, BATCH));
    const std::vector<float> c = dc.back(), l = dl.back();
    for (int i = 0; i < EACH * BATCH; i++) {
        const int of = i / EACH * EACH, row = i % SIZE, column = i % EACH / SIZE;
        float sum = 0;
        for (int p = 0; p < SIZE; p++)
            sum += a[of + row + p * SIZE] * b[of + p + column * SIZE];
        EXPECT(c[i] == sum);
        EXPECT(l[i] == sum);
    }
}

static void products(cublasHandle_t h)
{
    const cublasOperation_t ops[] = { CUBLAS_OP_N, CUBLAS_OP_T };

    for (int i = 0; i < 4; i++) {
        const cublasOperation_t a = ops[i / 2], b = ops[i % 2];
        gemm<float, float>(
            [h](int op_a, int op_b, int m, int n, int k, const float *x, int ldx, const float *y, int ldy, float *z,
                int ldz) {
                const float two = 2, minus = -1;
                return cublasSgemm(h, (cublasOperation_t)op_a, (cublasOperation_t)op_b, m, n, k, &two, x, ldx, y, ldy,
                                   &minus, z, ldz);
            },
            a, b);
        gemm<double, double>(
            [h](int op_a, int op_b, int m, int n, int k, const double *x, int ldx, const double *y, int ldy, double *z,
                int ldz) {
                const double two = 2, minus = -1;
                return cublasDgemm(h, (cublasOperation_t)op_a, (cublasOperation_t)op_b, m, n, k, &two, x, ldx, y, ldy,
                                   &minus, z, ldz);
            },
            a, b);
        gemm<__half, __half>(
            [h](int op_a, int op_b, int m, int n, int k, const __half *x, int ldx, const __half *y, int ldy, __half *z,
                int ldz) {
                const __half two = 2, minus = -1;
                return cublasHgemm(h, (cublasOperation_t)op_a, (cublasOperation_t)op_b, m, n, k, &two, x, ldx, y, ldy,
                                   &minus, z, ldz);
            },
            a, b);
        gemm<__nv_bfloat16, float>(
            [h](int op_a, int op_b, int m, int n, int k, const __nv_bfloat16 *x, int ldx, const __nv_bfloat16 *y,
                int ldy, float *z, int ldz) {
                const float two = 2, minus = -1;
                return cublasGemmEx(h, (cublasOperation_t)op_a, (cublasOperation_t)op_b, m, n, k, &two, x, CUDA_R_16BF,
                                    ldx, y, CUDA_R_16BF, ldy, &minus, z, CUDA_R_32F, ldz, CUBLAS_COMPUTE_32F,
                                    CUBLAS_GEMM_DEFAULT);
            },
            a, b);
    }
    batches(h);
}

static void matrices(cublasHandle_t h)
{
    enum { M = 3, N = 4 };
    const std::vector<double> a = numbers<double>(M * N, 6), x = numbers<double>(16, 7), y = numbers<double>(16, 8);
    on_device<double> da(a), dx(x), dy(y), dc(std::vector<double>(M * N)), dt(std::vector<double>(M * N));
    const double two = 2, three = 3, zero = 0;

    // y = 2 A^T x + 3 y: each second element of x; each third one of y, from the last one on
    EXPECT(!cublasDgemv(h, CUBLAS_OP_T, M, N, &two, da.at, M, dx.at, 2, &three, dy.at, -3));
    std::vector<double> got = dy.back();
    for (int j = 0; j < N; j++) {
        double sum = 3 * y[(N - 1 - j) * 3];
        for (int i = 0; i < M; i++)
            sum += 2 * a[i + j * M] * x[2 * i];
        EXPECT(got[(N - 1 - j) * 3] == sum);
    }
    EXPECT(got[1] == y[1] && got[2] == y[2]);
    EXPECT(!cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, N, M, &two, da.at, M, &zero, NULL, N, dt.at, N));
    EXPECT(!cublasDdgmm(h, CUBLAS_SIDE_RIGHT, M, N, da.at, M, dx.at, 1, dc.at, M));
    EXPECT(!cublasDger(h, M, N, &two, dx.at, 1, dx.at + M, 1, da.at, M));
    got = da.back();
    const std::vector<double> turned = dt.back(), scaled = dc.back();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            EXPECT(turned[j + i * N] == 2 * a[i + j * M]);
            EXPECT(scaled[i + j * M] == a[i + j * M] * x[j]);
            EXPECT(got[i + j * M] == a[i + j * M] + 2 * x[i] * x[M + j]);
        }
}

static void vectors(cublasHandle_t h)
{
    const std::vector<float> x = { 1, -5, 3, 2 }, y = { 10, 20, 30, 40 };
    on_device<float> dx(x), dy(y), result(std::vector<float>(1));
    const float two = 2;
    float value;
    int at;

    EXPECT(!cublasSaxpy(h, 4, &two, dx.at, 1, dy.at, -1));
    EXPECT(dy.back() == (std::vector<float>{ 14, 26, 20, 42 }));
    EXPECT(!cublasSswap(h, 2, dx.at, 1, dy.at, 2));
    EXPECT(dx.back() == (std::vector<float>{ 14, 20, 3, 2 }) && dy.back() == (std::vector<float>{ 1, 26, -5, 42 }));
    EXPECT(!cublasSscal(h, 2, &two, dx.at, 2) && dx.back() == (std::vector<float>{ 28, 20, 6, 2 }));
    EXPECT(!cublasSdot(h, 4, dx.at, 1, dy.at, 1, &value) && value == 28 + 520 - 30 + 84);
    EXPECT(!cublasSasum(h, 4, dy.at, 1, &value) && value == 74);
    EXPECT(!cublasIsamax(h, 4, dx.at, 1, &at) && at == 1 && !cublasIsamin(h, 4, dx.at, 1, &at) && at == 4);
    EXPECT(!cublasScopy(h, 2, dy.at, 1, dx.at, 1) && dx.back() == (std::vector<float>{ 1, 26, 6, 2 }));
    EXPECT(!cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    EXPECT(!cublasSnrm2(h, 1, dx.at + 2, 1, result.at) && result.back()[0] == 6);
    EXPECT(!cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    EXPECT(!cublasSetVector(2, 4, y.data(), 2, dx.at, 1) && dx.back() == (std::vector<float>{ 10, 30, 6, 2 }));
    EXPECT(cublasSaxpy(NULL, 4, &two, dx.at, 1, dy.at, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, 1, &two, dx.at, 3, dy.at, 1, &two, dy.at, 4) ==
           CUBLAS_STATUS_INVALID_VALUE);
}

// D = relu(A^T B + bias), of bf16.
static void light()
{
    enum { M = 16, N = 8, K = 24 };
    const std::vector<__nv_bfloat16> a = numbers<__nv_bfloat16>(K * M, 1), b = numbers<__nv_bfloat16>(K * N, 2);
    const std::vector<float> bias = numbers<float>(M, 3);
    on_device<__nv_bfloat16> da(a), db(b);
    on_device<float> dbias(bias), dd(std::vector<float>(M * N));
    const cublasOperation_t turned = CUBLAS_OP_T;
    const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
    const float one = 1, zero = 0;
    cublasLtMatmulHeuristicResult_t result;
    cublasLtMatmulPreference_t preference;
    cublasLtMatrixLayout_t la, lb, ld;
    cublasLtMatmulDesc_t desc;
    cublasLtHandle_t h;
    int count;

    EXPECT(!cublasLtCreate(&h) && !cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    EXPECT(!cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
    EXPECT(!cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
    EXPECT(!cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias.at, sizeof dbias.at));
    EXPECT(!cublasLtMatrixLayoutCreate(&la, CUDA_R_16BF, K, M, K) &&
           !cublasLtMatrixLayoutCreate(&lb, CUDA_R_16BF, K, N, K));
    EXPECT(!cublasLtMatrixLayoutCreate(&ld, CUDA_R_32F, M, N, M) && !cublasLtMatmulPreferenceCreate(&preference));
    EXPECT(!cublasLtMatmulAlgoGetHeuristic(h, desc, la, lb, ld, ld, preference, 1, &result, &count) && count == 1);
    EXPECT(!cublasLtMatmul(h, desc, &one, da.at, la, db.at, lb, &zero, dd.at, ld, dd.at, ld, &result.algo, NULL, 0, 0));
    const std::vector<float> d = dd.back();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            float sum = bias[i];
            for (int p = 0; p < K; p++)
                sum += (float)a[p + i * K] * (float)b[p + j * K];
            EXPECT(d[i + j * M] == (sum < 0 ? 0 : sum));
        }
    EXPECT(!cublasLtMatmulPreferenceDestroy(preference) && !cublasLtMatmulDescDestroy(desc));
    EXPECT(!cublasLtMatrixLayoutDestroy(la) && !cublasLtMatrixLayoutDestroy(lb) && !cublasLtMatrixLayoutDestroy(ld));
    EXPECT(!cublasLtDestroy(h));
}

// A generator for the device gives the numbers of one for the host.
static void generators(curandRngType_t type, bool normal)
{
    enum { COUNT = 10000 };
    curandGenerator_t device, host;
    std::vector<float> a(COUNT), b;
    on_device<float> d(a);

    EXPECT(!curandCreateGenerator(&device, type) && !curandCreateGeneratorHost(&host, type));
    if (type < CURAND_RNG_QUASI_DEFAULT) {
        EXPECT(!curandSetPseudoRandomGeneratorSeed(device, 1234) && !curandSetPseudoRandomGeneratorSeed(host, 1234));
    } else {
        EXPECT(!curandSetQuasiRandomGeneratorDimensions(device, 4) &&
               !curandSetQuasiRandomGeneratorDimensions(host, 4));
    }
    for (int times = 0; times < 2; times++) {
        EXPECT(
            !(normal ? curandGenerateNormal(device, d.at, COUNT, 3, 2) : curandGenerateUniform(device, d.at, COUNT)));
        EXPECT(!(normal ? curandGenerateNormal(host, a.data(), COUNT, 3, 2)
                        : curandGenerateUniform(host, a.data(), COUNT)));
        b = d.back();
        for (int i = 0; i < COUNT; i++) {
            const float apart = a[i] - b[i];
            EXPECT(normal ? apart < 1e-4f && apart > -1e-4f : apart == 0);
        }
    }
    EXPECT(!curandDestroyGenerator(device) && !curandDestroyGenerator(host));
}

// With an argument, under exec: what a function that is not there gives.
int main(int argc, char **)
{
    cublasHandle_t h;
    cudaStream_t stream;

    EXPECT(!cublasCreate(&h));
    if (argc > 1) {
        printf("%d\n", (int)cublasSgetrfBatched(h, 1, NULL, 1, NULL, NULL, 1));
        return 0;
    }
    products(h);
    matrices(h);
    vectors(h);
    light();
    FINE(cudaStreamCreate(&stream));
    EXPECT(!cublasSetStream(h, stream));
    batches(h);
    EXPECT(!cublasDestroy(h));
    for (curandRngType_t type : { CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                  CURAND_RNG_QUASI_SOBOL32 })
        for (bool normal : { false, true })
            generators(type, normal);
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
