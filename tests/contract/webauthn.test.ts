import { describe, expect, it } from 'vitest';
import { FakeWebauthn } from '#kit/ports/fake-webauthn.ts';
import { webauthnContract } from './webauthn.contract.ts';

webauthnContract({ describe, it, expect }, 'FakeWebauthn', () => {
  const webauthn = new FakeWebauthn({ origin: 'https://app.example.com' });
  const unsupported = new FakeWebauthn({ origin: 'https://app.example.com' });
  unsupported.supported = false;
  return {
    webauthn,
    again: webauthn,
    unsupported,
    rpId: 'app.example.com',
    hold: () => void webauthn.hold(),
    refuse: () => void (webauthn.refusal = new DOMException('Not allowed', 'NotAllowedError')),
    count: () => webauthn.authenticator.count,
    names: () => webauthn.authenticator.names,
    showInput: (autocomplete) => void webauthn.inputs.push(autocomplete),
  };
});
