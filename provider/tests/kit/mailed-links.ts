import type { NOTICE_PAGES } from '#provider/accounts/notices/links.ts';
import type { LinkKind } from '#provider/messages/texts/kinds.ts';
import { enrolTotp, fromServer, secondAddress, uniqueEmail } from '../attacks/attacker.ts';
import { beginRecoveryOf, newestLink } from '../notices/steps.ts';
import { MINUTE, type Fields, type Provider } from './harness.ts';
import { challenge, verifier } from './idp-harness.ts';
import { ISSUER } from './proxied-server.ts';

export type MailedLinkKind = LinkKind | keyof typeof NOTICE_PAGES;

/** Calls the API from the visitor's page. */
type Post = (
  path: string,
  body: object,
  session?: string,
) => Promise<{ readonly status: number; readonly data: Fields }>;

/** A visitor who asks for mails, and the server that writes them. */
export interface MailedVisitor {
  readonly provider: Provider;
  readonly post: Post;
}

const DAY = 24 * 60 * MINUTE;

interface MailedLink {
  readonly url: URL;
  /** What the page of the app presents with the token. */
  readonly code_verifier?: string;
  readonly session?: string;
}

async function linkTo({ provider }: MailedVisitor, email: string): Promise<MailedLink> {
  return { url: new URL((await provider.newest(email))?.link ?? '') };
}

async function noticeTo({ provider }: MailedVisitor, email: string): Promise<MailedLink> {
  const url = await newestLink(provider, email, ISSUER);
  if (url === null) throw new Error(`no link to ${email}`);
  return { url };
}

async function signedUp({ provider }: MailedVisitor) {
  const email = uniqueEmail('mailed');
  const { session_token, user_id } = await provider.signIn(email);
  provider.clock.time += MINUTE;
  return { email, session: String(session_token), user_id: String(user_id) };
}

async function mailedLogin(visitor: MailedVisitor, email: string): Promise<MailedLink> {
  await visitor.post('/magic_links/email/login_or_create', { email, code_challenge: challenge });
  return { ...(await linkTo(visitor, email)), code_verifier: verifier };
}

async function recoveryOf(visitor: MailedVisitor): Promise<string> {
  const { email, session, user_id } = await signedUp(visitor);
  await enrolTotp(visitor.provider, session);
  await beginRecoveryOf(visitor.provider, user_id);
  return email;
}

/** A mail of each kind, and its link. */
export const MAILED_LINKS: Readonly<Record<MailedLinkKind, (visitor: MailedVisitor) => Promise<MailedLink>>> = {
  login_link: async (visitor) => mailedLogin(visitor, (await signedUp(visitor)).email),
  signup_link: async (visitor) => mailedLogin(visitor, uniqueEmail('mailed')),
  async invite_link(visitor) {
    const email = uniqueEmail('mailed');
    await fromServer(visitor.provider, '/magic_links/email/invite', { email });
    return linkTo(visitor, email);
  },
  async confirm_link(visitor) {
    const { session } = await signedUp(visitor);
    const email = uniqueEmail('second');
    await visitor.post('/magic_links/email/send/secondary', { email, code_challenge: challenge }, session);
    return { ...(await linkTo(visitor, email)), code_verifier: verifier, session };
  },
  async reset_password(visitor) {
    const { email } = await signedUp(visitor);
    await visitor.post('/passwords/email/reset/start', { email, code_challenge: challenge });
    return { ...(await linkTo(visitor, email)), code_verifier: verifier };
  },
  async undo(visitor) {
    const { email, session } = await signedUp(visitor);
    await (
      await secondAddress(visitor.provider).begin(session)
    )();
    return noticeTo(visitor, email);
  },
  stop_recovery: async (visitor) => noticeTo(visitor, await recoveryOf(visitor)),
  async finish_recovery(visitor) {
    const email = await recoveryOf(visitor);
    await noticeTo(visitor, email);
    visitor.provider.clock.time += DAY;
    return noticeTo(visitor, email);
  },
};

/** What the page of the app does with the token of a link that leads to it. */
export async function redeem({ post }: MailedVisitor, { url, code_verifier, session }: MailedLink): Promise<number> {
  const token = url.searchParams.get('token');
  const isReset = url.searchParams.get('stytch_token_type') === 'reset_password';
  const [path, extra] = isReset
    ? ['/passwords/email/reset', { password: 'correct horse battery staple 42' }]
    : ['/magic_links/authenticate', {}];
  return (await post(path, { token, code_verifier, session_duration_minutes: 60, ...extra }, session)).status;
}
