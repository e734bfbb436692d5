import { CHALLENGE, VERIFIER } from '../../kit/oauth-harness.ts';
import { uniqueEmail, uniqueNumber } from '../attacker.ts';
import { refused, isDone, NOT_OFFERED, type FlowStarter } from './flow.ts';
import { isServer, LONG, type Call, type Stage } from './people.ts';

/** Links and codes in messages. */

const linkTo = async (stage: Stage, to: string): Promise<string | null> => {
  const link = (await stage.newest(to))?.link ?? null;
  return link === null ? null : new URL(link).searchParams.get('token');
};

/** @param pkce whether the link was asked for with a challenge */
const open =
  (token: string | null, pkce = true) =>
  (call: Call) =>
    call('/magic_links/authenticate', { token, ...LONG, ...(pkce ? { code_verifier: VERIFIER } : {}) });

export const loginLink: FlowStarter = async (stage, call) => {
  const { email } = stage.second;
  const reply = await call('/magic_links/email/login_or_create', { email, code_challenge: CHALLENGE });
  return isDone(reply) ? { reply, finish: open(await linkTo(stage, email)) } : refused(reply);
};

export const addingLink: FlowStarter = async (stage, call) => {
  const email = uniqueEmail('added');
  const named = isServer(call) ? { user_id: stage.user_id } : {};
  const path = isServer(call) ? '/magic_links/email/send' : '/magic_links/email/send/secondary';
  const reply = await call(path, { email, code_challenge: CHALLENGE, ...named });
  return isDone(reply) ? { reply, finish: open(await linkTo(stage, email)) } : refused(reply);
};

export const invitation: FlowStarter = async (stage, call) => {
  if (!isServer(call)) return refused(NOT_OFFERED);
  const email = uniqueEmail('invited');
  const reply = await call('/magic_links/email/invite', { email });
  return isDone(reply) ? { reply, finish: open(await linkTo(stage, email), false) } : refused(reply);
};

export const embeddedLink: FlowStarter = async (stage, call) => {
  if (!isServer(call)) return refused(NOT_OFFERED);
  const reply = await call('/magic_links', { user_id: stage.user_id });
  return isDone(reply) ? { reply, finish: open(String(reply.data['token']), false) } : refused(reply);
};

export const resetLink: FlowStarter = async (stage, call) => {
  const { email } = stage.second;
  const reply = await call('/passwords/email/reset/start', { email, code_challenge: CHALLENGE });
  if (!isDone(reply)) return refused(reply);
  const token = await linkTo(stage, email);
  const body = { token, password: 'a wholly different phrase of mine', code_verifier: VERIFIER, ...LONG };
  return { reply, finish: (by) => by('/passwords/email/reset', body) };
};

const enter = (code: string | undefined, method_id: unknown) => (call: Call) =>
  call('/otps/authenticate', { [isServer(call) ? 'code' : 'token']: code, method_id, ...LONG });

export const loginCode: FlowStarter = async (stage, call) => {
  const { email } = stage.second;
  const reply = await call('/otps/email/login_or_create', { email });
  if (!isDone(reply)) return refused(reply);
  const id = reply.data['method_id'] ?? reply.data['email_id'];
  return { reply, finish: enter((await stage.newest(email))?.code, id) };
};

const addingCode =
  (kind: 'email' | 'sms', to: () => string): FlowStarter =>
  async (stage, call) => {
    const address = to();
    const field = kind === 'email' ? { email: address } : { phone_number: address };
    const named = isServer(call) ? { user_id: stage.user_id } : {};
    const reply = await call(`/otps/${kind}/send${isServer(call) ? '' : '/secondary'}`, { ...field, ...named });
    if (!isDone(reply)) return refused(reply);
    const id = reply.data['method_id'] ?? reply.data['email_id'] ?? reply.data['phone_id'];
    return { reply, finish: enter((await stage.newest(address))?.code, id) };
  };

export const addingEmailCode = addingCode('email', () => uniqueEmail('added'));
export const addingNumberCode = addingCode('sms', uniqueNumber);
