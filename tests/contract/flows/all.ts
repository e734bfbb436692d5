import type { TestRunner } from '../runner.ts';
import { accessFlow } from './access.flow.ts';
import { accountDataFlow } from './account-data.flow.ts';
import { authorizeFlow } from './authorize.flow.ts';
import { deviceFlow } from './device.flow.ts';
import { httpOnlyFlow } from './http-only.flow.ts';
import { magicLinkFlow } from './magic-link.flow.ts';
import { magicLinkSendFlow } from './magic-link-send.flow.ts';
import { mfaFlow } from './mfa.flow.ts';
import { oauthFlow } from './oauth.flow.ts';
import { oneTapFlow } from './one-tap.flow.ts';
import { otpPhoneFlow } from './otp-phone.flow.ts';
import { passcodeFlow } from './passcode.flow.ts';
import { passkeyFlow } from './passkey.flow.ts';
import { passwordFlow } from './password.flow.ts';
import { passwordResetFlow } from './password-reset.flow.ts';
import { profileFlow } from './profile.flow.ts';
import { rbacFlow } from './rbac.flow.ts';
import { repliesFlow } from './replies.flow.ts';
import { sessionFlow } from './session.flow.ts';
import { totpFlow } from './totp.flow.ts';
import { userAccountFlow } from './user-account.flow.ts';
import { walletFlow } from './wallet.flow.ts';
import type { MakeFlowWorld } from './world.ts';

/** Whose requests `wire/compare.test.ts` compares, on the provider and in memory. */
const COMPARED = [
  magicLinkFlow,
  magicLinkSendFlow,
  passwordFlow,
  passwordResetFlow,
  totpFlow,
  passkeyFlow,
  walletFlow,
  oauthFlow,
  sessionFlow,
  userAccountFlow,
  accessFlow,
  authorizeFlow,
  deviceFlow,
];

const OTHERS = [
  repliesFlow,
  passcodeFlow,
  otpPhoneFlow,
  mfaFlow,
  profileFlow,
  oneTapFlow,
  httpOnlyFlow,
  accountDataFlow,
  rbacFlow,
];

/** Every flow, on whatever the world is made of. */
export function allFlows(runner: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  for (const flow of [...OTHERS, ...COMPARED]) flow(runner, name, makeWorld);
}

/** The flows whose requests no script compares. */
export function flowsWithoutScript(runner: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  for (const flow of OTHERS) flow(runner, name, makeWorld);
}
