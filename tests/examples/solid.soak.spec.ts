import { test } from '../e2e/fixtures.ts';
import { describeFreshPage } from './kit/fresh-page.ts';
import { describeSinglePageApp } from './kit/single-page-app.ts';

// One folder has the packages of all.
test.describe.configure({ mode: 'default' });

const VITE = 'vite/bin/vite.js';

describeSinglePageApp('solid', {
  builds: [[VITE, 'build', '--logLevel', 'warn']],
  serve: (port) => ({ command: [VITE, 'preview', '--port', String(port), '--strictPort'] }),
  env: { VITE_PORTICO_API_URL: process.env['PORTICO_PROVIDER_URL'] ?? '' },
});

describeFreshPage('vite-solid', { replaced: ['src/App.tsx'], packagesOf: 'solid' });
describeFreshPage('vite-solid-js', { replaced: ['src/App.jsx'], packagesOf: 'solid' });
