import { boundTransport, proofFor, type BoundTransportOptions } from '#composition/bound.ts';
import { describe, expect, it } from 'vitest';
import { eachMistakeHasAMessage, thrownBy, type Rows } from './option-rows.ts';

const TRANSPORT: Rows<BoundTransportOptions> = {
  required: { wrongType: ['true', 1, null] },
  keys: { wrongType: ['keys', 7, null, []] },
};
eachMistakeHasAMessage('boundTransport', TRANSPORT, {
  good: { required: true },
  messagesOf: (options) => thrownBy(() => boundTransport(options)),
});

describe('the transport of bound sessions', () => {
  it.each([null, 'required', []])('is refused for options that are %j', (options) => {
    expect(() => boundTransport(options as never)).toThrow('must be an object');
  });

  it('has the option that a misspelled one means', () => {
    expect(() => boundTransport({ require: true } as never)).toThrow('require is no option. Did you mean required?');
  });
});

describe('the request of a proof', () => {
  const request = { publicToken: 'public-token-test-1', method: 'POST', url: '/api', token: 'a.b.c' };

  it.each(Object.keys(request))('without %s is refused by its name', async (name) => {
    await expect(proofFor({ ...request, [name]: undefined })).rejects.toThrow(`${name} must be a string`);
    await expect(proofFor({ ...request, [`${name}s`]: 'x' })).rejects.toThrow(`Did you mean ${name}?`);
  });
});
