import { describe, expect, it, vi } from 'vitest';
import type { MissingProof } from '#domain/sessions/mfa.ts';
import type { FactorFormState } from '#domain/sessions/second-factor.ts';
import { openLogin } from '../open-widget.ts';
import { ADA, CODES, mfaWorld, worldWithApp } from './mfa-world.ts';

const SECOND: MissingProof = { factors: [], reason: 'second-factor' };
const OLD: MissingProof = { factors: ['totp'], reason: 'too-old' };

type OpenWidget = ReturnType<typeof openLogin>;

/** Signs somebody in with a code by email, before the page with the step-up is opened. */
async function signedIn(world: OpenWidget['world']): Promise<OpenWidget> {
  const opened = openLogin(CODES, { world });
  const { method_id } = await opened.api.otps.email.loginOrCreate(ADA);
  const code = world.server.codeFor(ADA) ?? '';
  await opened.api.otps.authenticate(code, method_id, { session_duration_minutes: 60 });
  opened.widget.destroy();
  return opened;
}

const stepUp = (before: OpenWidget, lacks: MissingProof): OpenWidget =>
  openLogin({ ...CODES, stepUp: lacks }, { world: before.world, tab: before.ports });

const formOf = ({ world, screen }: OpenWidget): Promise<FactorFormState> =>
  vi.waitFor(async () => {
    await world.settle();
    const shown = screen();
    if (shown.name !== 'SecondFactor' || !('task' in shown.flow)) throw new Error(JSON.stringify(shown));
    return shown.flow;
  });

const typesOf = ({ sessions }: OpenWidget) => sessions.state().session?.authentication_factors.map(({ type }) => type);

const until = ({ world, screen }: OpenWidget, name: string) =>
  vi.waitFor(async () => {
    await world.settle();
    expect(screen().name).toBe(name);
  });

describe('a step-up of a session', () => {
  it('opens on the second factor that it lacks, adds it, and ends as a login', async () => {
    const { world, secret } = await worldWithApp({ policy: 'off' });
    const opened = stepUp(await signedIn(world), SECOND);
    expect(opened.screen()).toMatchObject({ name: 'SecondFactor', flow: { at: 'arriving', isStepUp: true } });
    expect(await formOf(opened)).toMatchObject({ task: { kind: 'totp' }, isStepUp: true, step: { recovery: null } });
    expect(typesOf(opened)).toEqual(['otp']);
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await until(opened, 'AuthenticateFlowComplete');
    expect(typesOf(opened)).toEqual(['otp', 'totp']);
    expect(opened.heard.map(({ type }) => type)).toEqual(['SECOND_FACTOR_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
  });

  it('asks again for a factor whose proof is too old', async () => {
    const { world, secret } = await worldWithApp({ policy: 'off' });
    const before = await signedIn(world);
    const proven = stepUp(before, SECOND);
    await formOf(proven);
    proven.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await until(proven, 'AuthenticateFlowComplete');
    proven.widget.destroy();
    await world.clock.advance(20 * 60_000);
    const opened = stepUp(proven, OLD);
    expect(await formOf(opened)).toMatchObject({ task: { kind: 'totp' } });
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await until(opened, 'AuthenticateFlowComplete');
    const app = opened.sessions.state().session?.authentication_factors.find(({ type }) => type === 'totp');
    expect(Date.parse(app?.last_authenticated_at ?? '')).toBe(world.clock.now());
  });

  it('adds a factor for a user who has none', async () => {
    const world = mfaWorld({ policy: 'off' });
    const opened = stepUp(await signedIn(world), SECOND);
    expect(await formOf(opened)).toMatchObject({ task: { kind: 'enrolment' } });
    opened.store.send({ type: 'factor/asked', request: { kind: 'createTotp' } });
    const made = await vi.waitFor(async () => {
      const { task } = await formOf(opened);
      if (task.kind !== 'scan') throw new Error(task.kind);
      return task.totp;
    });
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(made.secret) } });
    await until(opened, 'AuthenticateFlowComplete');
    expect(typesOf(opened)).toEqual(['otp', 'totp']);
  });

  it('is a login where the old proof is no second factor, and for a visitor who is signed out', async () => {
    const world = mfaWorld({ policy: 'off' });
    const before = await signedIn(world);
    const opened = stepUp(before, { factors: ['otp'], reason: 'too-old' });
    await until(opened, 'Main');
    expect(typesOf(opened)).toEqual(['otp']);
    opened.widget.destroy();
    expect(openLogin({ ...CODES, stepUp: SECOND }, { world: mfaWorld() }).screen().name).toBe('Main');
  });

  it('becomes a login when the session ends meanwhile', async () => {
    const { world } = await worldWithApp({ policy: 'off' });
    const opened = stepUp(await signedIn(world), SECOND);
    await formOf(opened);
    await opened.services.lifecycle.revoke(false);
    await until(opened, 'Main');
  });

  it('keeps the session after a wrong code', async () => {
    const { world } = await worldWithApp({ policy: 'off' });
    const opened = stepUp(await signedIn(world), SECOND);
    await formOf(opened);
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: '000000' } });
    await vi.waitFor(async () =>
      expect(await formOf(opened)).toMatchObject({ at: 'resting', error: { error_type: 'otp_code_not_found' } }),
    );
    expect(typesOf(opened)).toEqual(['otp']);
  });
});
