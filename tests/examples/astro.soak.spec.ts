import { describeGuardedApp } from './kit/guarded-app.ts';

describeGuardedApp('astro', {
  hasForm: true,
  builds: [['astro/bin/astro.mjs', 'build']],
  serve: (port) => ({
    command: ['./dist/server/entry.mjs'],
    env: { HOST: 'localhost', PORT: String(port), ASTRO_TELEMETRY_DISABLED: '1' },
  }),
});
