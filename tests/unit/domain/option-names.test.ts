import { describe, expect, it } from 'vitest';
import { nearestName, unknownOption } from '#domain/widget/option-names.ts';

const CLIENT = ['apiUrl', 'cookieOptions', 'endpointOptions', 'adapters', 'telemetry'];
const CONFIG = ['products', 'otpOptions', 'oauthOptions', 'emailMagicLinksOptions', 'sessionOptions'];

describe('a misspelled name', () => {
  it.each([
    ['apiURL', CLIENT, 'apiUrl'],
    ['API_URL', CLIENT, 'apiUrl'],
    ['apiUlr', CLIENT, 'apiUrl'],
    ['endpointoptions', CLIENT, 'endpointOptions'],
    ['cookieOption', CLIENT, 'cookieOptions'],
    ['telemtry', CLIENT, 'telemetry'],
    ['product', CONFIG, 'products'],
    ['prodcuts', CONFIG, 'products'],
    ['otpOption', CONFIG, 'otpOptions'],
    ['sessionDuration', ['sessionDurationMinutes'], 'sessionDurationMinutes'],
    ['passkeyOption', ['passwordOptions', 'passkeyOptions'], 'passkeyOptions'],
    ['method', ['methods', 'expirationMinutes'], 'methods'],
  ])('%s of %j means %s', (name, known, meant) => expect(nearestName(name, known)).toBe(meant));

  it.each(['x', 'colour', '', '😀', 'constructor'])('%j means none', (name) => {
    expect(nearestName(name, CLIENT)).toBe('');
  });

  it('is named with what was meant, or with what there is', () => {
    expect(unknownOption({ apiUrl: 'x' }, CLIENT)).toBeNull();
    expect(unknownOption(undefined, CLIENT)).toBe('must be an object');
    expect(unknownOption({ apiURL: 'x' }, CLIENT)).toBe('apiURL is no option. Did you mean apiUrl?');
    expect(unknownOption({ apiDomain: 'x' }, CLIENT)).toBe('apiDomain is no option. Did you mean apiUrl?');
    expect(unknownOption({ url: 'x' }, CLIENT)).toBe(`url is no option; there are ${CLIENT.join(', ')}`);
  });
});
