import { describeApiOnAnotherOrigin } from './kit/api-on-another-origin.ts';

describeApiOnAnotherOrigin('nest-api', {
  builds: [['typescript/bin/tsc']],
  command: ['./dist/main.js'],
  pageOf: 'fastify-api',
});
