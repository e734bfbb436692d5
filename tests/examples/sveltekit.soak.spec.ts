import { describeGuardedApp } from './kit/guarded-app.ts';

describeGuardedApp('sveltekit', {
  refreshesAtSignOut: true,
  builds: [['vite/bin/vite.js', 'build', '--logLevel', 'warn']],
  serve: (port) => ({ command: ['./build/index.js'], env: { PORT: String(port), ORIGIN: `http://localhost:${port}` } }),
});
