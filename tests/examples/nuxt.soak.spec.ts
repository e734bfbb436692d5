import { describeGuardedApp } from './kit/guarded-app.ts';

describeGuardedApp('nuxt', {
  refreshesAtSignOut: true,
  builds: [['nuxt/bin/nuxt.mjs', 'build', '--logLevel', 'silent']],
  serve: (port) => ({
    command: ['./.output/server/index.mjs'],
    env: { HOST: 'localhost', PORT: String(port), NUXT_PUBLIC_API_URL: process.env['PORTICO_PROVIDER_URL'] ?? '' },
  }),
});
