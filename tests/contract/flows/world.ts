import type { Ports } from '#application/ports/index.ts';
import { PorticoClient } from '#composition/client.ts';
import type { PostedForm } from '#kit/ports/fake-form-post.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import type { Disposable } from '../runner.ts';

/** A tab's ports; what a person does in it, a test does with those that are fakes in every world. */
export type FlowTab = Ports & Pick<FakeTab, 'browser' | 'formPost' | 'webauthn' | 'oneTap'>;

/** One browser: its tabs share what tabs share. */
export interface FlowBrowser {
  tab(): FlowTab;
}

/** What the link of a mail is for. */
export type LinkType = 'magic_links' | 'login' | 'reset_password';

/** A wallet that signs whatever it is shown. */
export interface WalletSigner {
  readonly crypto_wallet_type: 'ethereum' | 'solana';
  readonly crypto_wallet_address: string;
  sign(challenge: string): string;
}

/** What a connected app sends for its tokens. */
export interface CodeExchange {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code: string;
  readonly code_verifier: string;
}

/** What a device asks for that shows a code (RFC 8628). */
export interface DeviceBegin {
  readonly client_id: string;
  readonly scopes: readonly string[];
  /** How its program describes itself (User-Agent). */
  readonly program: string;
}

/** A server and the people in front of it, whatever the server is made of. */
export interface FlowWorld extends Disposable {
  readonly publicToken: string;
  /** Where the server is, as `apiUrl` takes it. Default: `http://localhost:4100`. */
  readonly apiDomain?: string;
  newBrowser(): FlowBrowser;
  /** An address that this world's server has never seen: `ada` gives such as `ada+7@example.com`. */
  address(name: string): string;
  /** Such an address, unless one is given, and whoever has verified it has the role. */
  addressWith(role: string, address?: string): string;
  /** A phone number that this world's server has never seen. */
  phoneNumber(): string;
  /** The newest passcode sent to an address or number. */
  codeFor(to: string): Promise<string>;
  /** The token of the newest link of that type sent to an address. */
  tokenFor(email: string, type?: LinkType): Promise<string>;
  /** What an authenticator app shows now. */
  totpCodeFor(secret: string): string;
  /** A wallet that this world's server has never seen. */
  signer(type: WalletSigner['crypto_wallet_type']): WalletSigner;
  /**
   * Goes to the social provider's page by an address or a form, chooses the account there, and answers where the browser is sent back to.
   * Rejects as a call does.
   */
  comeBack(start: string | PostedForm, email: string): Promise<URL>;
  /** What a One Tap prompt gives a page when somebody chooses that account. */
  googleIdToken(email: string, clientId: string): Promise<string>;
  /** What an administrator is given to act for a user, named by address or id. */
  impersonationToken(user: string, by?: string): Promise<string>;
  /** What the issuer of the profile says of whoever has the address. */
  trustedToken(profileId: string, email: string): Promise<string>;
  /** The tokens that a connected app gets for a code. */
  exchangeCode(exchange: CodeExchange): Promise<{ readonly access_token: string; readonly id_token: string }>;
  /** What a device shows, and with what it polls; it is in the network of the browsers. Rejects with an `error` of RFC 8628. */
  beginDevice(device: DeviceBegin): Promise<{ readonly device_code: string; readonly user_code: string }>;
  /** The tokens that a device gets. Rejects with an `error` of RFC 8628 until the user has decided. */
  pollDevice(poll: {
    readonly client_id: string;
    readonly device_code: string;
  }): Promise<{ readonly access_token: string }>;
  /**
   * Who may become a user from now on; each world begins with an open sign-up. A server that has no such setting leaves it out, with the
   * next one.
   */
  readonly setSignUp?: (rules: Partial<SignUpRules>) => void;
  /** Invites an address, as the app's own server does. */
  readonly invite?: (email: string) => Promise<void>;
  /** Moves the clocks of the server and of every browser. */
  passTime(ms: number): void;
  /** Runs when the test is over. */
  after(task: () => void): void;
  /** Told of each client that a flow opens. */
  readonly opened?: (client: PorticoClient) => void;
}

/** How a flow wants its server. */
export interface FlowProject {
  /** For links, resets and social logins. */
  readonly pkceRequired?: boolean;
  readonly siweRequired?: boolean;
  /** Sessions in cookies that scripts cannot read. */
  readonly httpOnly?: boolean;
  /** Asks for two factors: of users who have a second one, or of everybody. */
  readonly twoFactors?: boolean | 'required';
  /** Asks users for fields and terms. */
  readonly profile?: boolean;
  /** Wallets sign as real ones do; on the fakes, by a scheme of theirs otherwise. */
  readonly realSignatures?: boolean;
}

/** Makes a world with the given project: the server under test, and what surrounds it. */
export type MakeFlowWorld = (project: FlowProject) => Promise<FlowWorld>;

export const SITE = 'http://localhost:3000/';
export const HOUR = { session_duration_minutes: 60 };
export const MINUTE_MS = 60_000;

/** A client in a new tab, talking to the world's server. */
export function openClient(world: FlowWorld, browser: FlowBrowser): PorticoClient {
  return openTab(world, browser).client;
}

/** The same with the tab that it is in. */
export function openTab(
  world: FlowWorld,
  browser: FlowBrowser = world.newBrowser(),
): { readonly client: PorticoClient; readonly tab: FlowTab } {
  const tab = browser.tab();
  const client = new PorticoClient(world.publicToken, {
    adapters: tab,
    apiUrl: world.apiDomain ?? 'http://localhost:4100',
    asksProfile: true,
  });
  world.opened?.(client);
  world.after(() => client.destroy());
  return { client, tab };
}

/** Logs in by an emailed passcode. */
export async function signIn(world: FlowWorld, client: PorticoClient, email: string = world.address('ada')) {
  const { method_id } = await client.otps.email.loginOrCreate(email);
  return client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
}

/** A client in a new browser whose user is signed in. */
export async function signedIn(world: FlowWorld, email?: string): Promise<ReturnType<typeof openTab>> {
  const opened = openTab(world);
  await signIn(world, opened.client, email);
  return opened;
}

/** The types of the factors that the session here rests on. */
export function factorsOf({ session }: PorticoClient): readonly string[] {
  return (session.getSync()?.authentication_factors ?? []).map(({ type }) => type);
}

/** The wire's type of what a call rejects with, or the kind of an error that has none. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'not refused';
  } catch (error) {
    const { error_type, kind } = error as { error_type?: string; kind?: string };
    return error_type ?? kind ?? String(error);
  }
}

/** Waits until it holds; what a person sets off in a page ends some time after. */
export async function until(holds: () => boolean): Promise<void> {
  for (let left = 12_000; left > 0 && !holds(); left -= 1) await new Promise((resolve) => setTimeout(resolve, 10));
  if (!holds()) throw new Error(`It never came to: ${String(holds)}`);
}
