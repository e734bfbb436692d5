import { describeSinglePageApp } from './kit/single-page-app.ts';

const VITE = 'vite/bin/vite.js';

describeSinglePageApp('solid', {
  builds: [[VITE, 'build', '--logLevel', 'warn']],
  serve: (port) => ({ command: [VITE, 'preview', '--port', String(port), '--strictPort'] }),
  env: { VITE_PORTICO_API_URL: process.env['PORTICO_PROVIDER_URL'] ?? '' },
});
