import { describe, expect, it } from 'vitest';
import type { ProfileRules } from '#server-rules/profile.ts';
import { mfa, profile } from '#application/api/index.ts';
import type { FactorFormState } from '#domain/sessions/second-factor.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

const rules = (version: string): ProfileRules => ({
  fields: [{ field: 'company', label: 'Company', required: true, options: null }],
  terms: [{ terms_id: 'tos', version, title: 'Terms', url: 'https://acme.example/terms' }],
  url: 'http://localhost:3000/',
});
const ADA = 'ada@example.com';

/** Somebody at the form of a project with terms. */
async function asked() {
  const world = new TestWorld();
  world.server.settings.profile = rules('1');
  const opened = openLogin({ products: ['otp'], otpOptions: { methods: ['email'] } }, { world });
  await world.settle();
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await world.settle();
  opened.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
  await world.settle();
  const flow = (): FactorFormState => {
    const screen = opened.screen();
    if (screen.name !== 'SecondFactor') throw new Error(screen.name);
    return screen.flow as FactorFormState;
  };
  const send = async (company = 'Engines', tos = '1'): Promise<void> => {
    const user_id = flow().step.profile?.user_id ?? '';
    const request = { kind: 'profile', user_id, fields: { company }, terms: { tos } } as const;
    opened.store.send({ type: 'factor/asked', request });
    await world.settle();
  };
  return { ...opened, flow, send };
}

describe('The form of a profile that the server refuses', () => {
  it('shows the newer terms, and says which ones changed', async () => {
    const { world, flow, send, errors, screen } = await asked();
    world.server.settings.profile = rules('2');
    await send();
    expect(flow()).toMatchObject({
      at: 'resting',
      step: { profile: { terms: [{ version: '2' }] } },
      error: { error_type: 'invalid_profile', error_details: { field: 'terms.tos' } },
      failed: 'profile',
    });
    expect(errors).toHaveLength(1);
    await send('Engines', '2');
    expect(screen().name).toBe('AuthenticateFlowComplete');
  });

  it('stays as it is if the project asks for the same', async () => {
    const { flow, send } = await asked();
    const { step } = flow();
    await send('two\nlines');
    expect(flow()).toMatchObject({ step, error: { error_details: { field: 'fields.company' } } });
  });

  it('is renewed after a refusal of any type, because that of a newer server is unknown', async () => {
    const { world, flow, send } = await asked();
    world.server.settings.profile = rules('2');
    world.transport.answer(profile.complete, () => errorReply(403, 'brand_new'));
    await send();
    expect(flow()).toMatchObject({ step: { profile: { terms: [{ version: '2' }] } } });
  });

  it('asks nothing more of a server that cannot be reached, and ends with the login', async () => {
    const { world, flow, send } = await asked();
    const before = world.transport.requestsTo(mfa.status).length;
    world.transport.answer(profile.complete, () => {
      throw new Error('no network');
    });
    await send();
    expect(flow()).toMatchObject({ at: 'resting', error: { kind: 'unreachable' } });
    expect(world.transport.requestsTo(mfa.status)).toHaveLength(before);
    world.transport.answer(profile.complete, () => errorReply(401, 'intermediate_session_not_found'));
    world.transport.answer(mfa.status, () => errorReply(401, 'intermediate_session_not_found'));
    await send();
    expect(flow()).toMatchObject({ at: 'over' });
  });
});
