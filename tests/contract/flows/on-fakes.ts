import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { FakeServer } from '#kit/fake-server.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { OPEN_TO_ALL } from '#server-rules/sign-ups.ts';
import { ASKED_PROFILE, DASHBOARD, PLANNER, POLICY, PROFILE, twoFactors } from './project.ts';
import { verifyReally } from './wallets.ts';
import { SITE, type MakeFlowWorld } from './world.ts';

/** Everything in memory: a server of its own for every test. */
export const makeFakeWorld: MakeFlowWorld = async (wanted) => {
  const {
    pkceRequired = false,
    siweRequired = false,
    realSignatures = false,
    httpOnly = false,
    twoFactors: asked = false,
    profile = false,
  } = wanted;
  const world = new FakeWorld();
  const server = new FakeServer(world.transport, world.clock);
  if (realSignatures) server.verifySignature = verifyReally;
  Object.assign(server.project, {
    project_name: 'Portico Demo',
    pkce_required_for_email_magic_links: pkceRequired,
    pkce_required_for_password_resets: pkceRequired,
    pkce_required_for_oauth: pkceRequired,
    siwe_required_for_crypto_wallets: siweRequired,
    rbac_policy: POLICY,
  });
  Object.assign(server.settings, {
    origins: [new URL(SITE).origin],
    redirectUrls: [SITE],
    defaultRedirectUrl: SITE,
    clients: [PLANNER, DASHBOARD],
    trustedProfiles: [PROFILE],
    httpOnlySessions: httpOnly,
    passkeySignUp: true,
    mfa: asked ? twoFactors(asked) : null,
    profile: profile ? ASKED_PROFILE : null,
  });
  const ended: (() => void)[] = [];
  let made = 0;
  return {
    publicToken: 'public-token-test-1',
    newBrowser: () => {
      const browser = new FakeWorld(world.clock);
      const transport = world.transport.forBrowser(browser.jar);
      return { tab: () => ({ ...browser.tab(SITE), transport, crypto: new FakeCrypto((made += 1)) }) };
    },
    address: (who) => `${who}@example.com`,
    addressWith: (role, email = `${role}@example.com`) => {
      server.settings.roleAssignments = [{ email, roles: [role] }];
      return email;
    },
    phoneNumber: () => `+1415555${2000 + (made += 1)}`,
    codeFor: async (to) => server.codeFor(to) ?? '',
    tokenFor: async (email, type) => server.tokenFor(email, type) ?? '',
    totpCodeFor: (secret) => server.totpCode(secret),
    signer: (crypto_wallet_type) => {
      const digits = String((made += 1));
      const crypto_wallet_address =
        crypto_wallet_type === 'ethereum' ? `0x${digits.padStart(40, '0')}` : `Fake${digits}`.padEnd(40, 'x');
      const sign = (challenge: string): string => server.signatureOf(crypto_wallet_address, challenge);
      return { crypto_wallet_type, crypto_wallet_address, sign };
    },
    comeBack: async (start, email) => new URL(server.returnFrom(start, { email })),
    googleIdToken: async (email) => server.idTokenOf({ email }),
    impersonationToken: async (user, by) => server.impersonationToken(user, by),
    trustedToken: async (profileId, email) => server.trustedToken(profileId, email),
    exchangeCode: (exchange) => server.exchangeCode(exchange),
    beginDevice: async (device) => server.beginDevice(device),
    pollDevice: async (poll) => server.pollDevice(poll),
    setSignUp: (rules) => void (server.settings.signUp = { ...OPEN_TO_ALL, ...rules }),
    invite: async (email) => server.invite(email),
    passTime: (ms) => world.clock.jump(ms),
    after: (task) => void ended.push(task),
    dispose: () => ended.forEach((task) => task()),
  };
};
