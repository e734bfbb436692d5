import { describeApiOnAnotherOrigin } from './kit/api-on-another-origin.ts';

describeApiOnAnotherOrigin('fastify-api', { command: ['./api.mjs'] });
