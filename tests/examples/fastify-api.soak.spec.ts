import { test } from '../e2e/fixtures.ts';
import { describeApiOnAnotherOrigin } from './kit/api-on-another-origin.ts';
import { describeFreshServer } from './kit/fresh-server.ts';

// One folder has the packages of both.
test.describe.configure({ mode: 'default' });

describeApiOnAnotherOrigin('fastify-api', { command: ['./api.mjs'] });

describeFreshServer('fastify', {
  packagesOf: 'fastify-api',
  replaced: ['server.js'],
  command: ['--env-file=.env', 'server.js'],
  hello: '{"hello":"world"}',
});
