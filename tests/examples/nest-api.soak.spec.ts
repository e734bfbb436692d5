import { test } from '../e2e/fixtures.ts';
import { describeApiOnAnotherOrigin } from './kit/api-on-another-origin.ts';
import { describeFreshServer } from './kit/fresh-server.ts';

// One folder has the packages of both.
test.describe.configure({ mode: 'default' });

describeApiOnAnotherOrigin('nest-api', {
  builds: [['typescript/bin/tsc']],
  command: ['./dist/main.js'],
  pageOf: 'fastify-api',
});

describeFreshServer('nest', {
  packagesOf: 'nest-api',
  replaced: ['src/app.module.ts'],
  builds: [['typescript/bin/tsc', '-p', 'tsconfig.build.json']],
  command: ['--env-file=.env', 'dist/main'],
  hello: 'Hello World!',
});
