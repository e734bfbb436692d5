import { describeSinglePageApp } from './kit/single-page-app.ts';

const apiUrl = JSON.stringify(process.env['PORTICO_PROVIDER_URL'] ?? '');

describeSinglePageApp('angular', {
  builds: [['@angular/cli/bin/ng.js', 'build', '--define', `PORTICO_API_URL=${apiUrl}`]],
  serve: (port) => ({
    command: [
      'sirv-cli/bin.js',
      'dist/notes/browser',
      '--single',
      '--host',
      'localhost',
      '--port',
      String(port),
      '--quiet',
    ],
  }),
  env: { NG_CLI_ANALYTICS: 'false' },
});
