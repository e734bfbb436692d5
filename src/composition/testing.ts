/** `portico/testing`: every port in memory, a server in memory, the control of a real one, and the suites that an adapter must pass. */
export { FakeBindingKeys } from '#kit/ports/fake-binding-keys.ts';
export { FakeBrowser } from '#kit/ports/fake-browser.ts';
export { FakeCaptcha } from '#kit/ports/fake-captcha.ts';
export { CookieJar, FakeCookies } from '#kit/ports/fake-cookies.ts';
export { FakeCrypto } from '#kit/ports/fake-crypto.ts';
export { FakeDeviceTelemetry } from '#kit/ports/fake-device-telemetry.ts';
export { FakeFormPost, type PostedForm } from '#kit/ports/fake-form-post.ts';
export { FakeKeys } from '#kit/ports/fake-keys.ts';
export { FakeLock } from '#kit/ports/fake-lock.ts';
export { FakeOneTap } from '#kit/ports/fake-one-tap.ts';
export { FakePasswordStrength } from '#kit/ports/fake-password-strength.ts';
export { FakePhone } from '#kit/ports/fake-phone.ts';
export { FakeWallet, type SignMessage } from '#kit/fake-wallet.ts';
export { errorReply, offline, rawReply, reply } from '#kit/transport/fake-reply.ts';
export {
  FakeServer,
  type AppTokens,
  type CodeExchange,
  type DeviceCodes,
  type DeviceRequest,
  type FakeAccount,
  type FakeClient,
  type FakeMessage,
  type FakeSettings,
  type LinkType,
  type VerifySignature,
} from '#kit/fake-server.ts';
export { FakeTransport, type Handler } from '#kit/transport/fake-transport.ts';
export { FakeWebauthn, type SeenCeremony } from '#kit/ports/fake-webauthn.ts';
export type { Gate } from '#kit/transport/gate.ts';
export type { SeenRequest } from '#kit/transport/seen-request.ts';
export { FakeWorld, type FakeTab } from '#kit/fake-world.ts';
export { MemoryLog } from '#kit/ports/memory-log.ts';
export { MemoryOutbox } from '#kit/ports/memory-outbox.ts';
export { MemoryStorage, StorageBus } from '#kit/ports/memory-storage.ts';
export { SoftAuthenticator } from '#kit/ports/soft-authenticator.ts';
export { VirtualClock } from '#kit/ports/virtual-clock.ts';
export type {
  ActiveFault,
  ControlledClock,
  ControlState,
  FaultyCall,
  PersonToSeed,
  ProjectSettings,
  SeededPerson,
  Snapshot,
  SocialAnswer,
} from '#application/dev-control/dev-control.ts';
export { ControlRefusal, type ControlOptions } from './control/call-control.ts';
export {
  controlOf,
  type FaultOptions,
  type ProviderControl,
  type TimeSpan,
  type Undo,
} from './control/provider-control.ts';
export { api } from '#application/api/index.ts';
export { bindingKeysContract } from '#tests/contract/binding-keys.contract.ts';
export { browserContract } from '#tests/contract/browser.contract.ts';
export { captchaContract } from '#tests/contract/captcha.contract.ts';
export { clockContract } from '#tests/contract/clock.contract.ts';
export { cookiesContract } from '#tests/contract/cookies.contract.ts';
export { cryptoContract } from '#tests/contract/crypto.contract.ts';
export { deviceTelemetryContract } from '#tests/contract/device-telemetry.contract.ts';
export { formPostContract } from '#tests/contract/form-post.contract.ts';
export { keysContract } from '#tests/contract/keys.contract.ts';
export { lockContract } from '#tests/contract/lock.contract.ts';
export { logContract } from '#tests/contract/log.contract.ts';
export { oneTapContract } from '#tests/contract/one-tap.contract.ts';
export { outboxContract } from '#tests/contract/outbox.contract.ts';
export { passwordStrengthContract } from '#tests/contract/password-strength.contract.ts';
export { phoneContract } from '#tests/contract/phone.contract.ts';
export { storageContract, type TestRunner } from '#tests/contract/storage.contract.ts';
export { transportContract } from '#tests/contract/transport.contract.ts';
export { usedProofsContract } from '#tests/contract/used-proofs.contract.ts';
export { walletContract } from '#tests/contract/wallet.contract.ts';
export { webauthnContract } from '#tests/contract/webauthn.contract.ts';
