export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  telemetry: false,
  runtimeConfig: {
    projectId: 'project-test-d1e70000-0000-4000-8000-000000000000',
    // The page gets these, too. At run time NUXT_PROJECT_ID, NUXT_PUBLIC_API_URL and NUXT_PUBLIC_TOKEN replace them.
    public: {
      apiUrl: 'http://localhost:4100',
      token: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
    },
  },
  routeRules: {
    '/**': { headers: { 'cache-control': 'private, no-store' } },
    '/_nuxt/**': { headers: { 'cache-control': 'public, max-age=31536000, immutable' } },
  },
});
