import { describeGuardedApp } from './kit/guarded-app.ts';

describeGuardedApp('tanstack-start', {
  hasForm: true,
  refreshesAtSignOut: true,
  builds: [['vite/bin/vite.js', 'build', '--logLevel', 'warn'], ['typescript/bin/tsc']],
  serve: (port) => ({ command: ['./server.mjs'], env: { PORT: String(port) } }),
});
