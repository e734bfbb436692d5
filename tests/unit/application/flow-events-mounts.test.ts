import { describe, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import { loginWidget } from '#application/widget/widgets.ts';
import type { HostEvent } from '#domain/widget/host-events.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { openLogin, openWidget } from './open-widget.ts';
import { ADA, ALONE, worldWith } from './passwords/open-passwords.ts';

const EMAIL: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const BOTH = ['OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE'];

/** A login by code up to the code itself. */
async function sent() {
  const opened = openLogin(EMAIL);
  await opened.world.settle();
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await opened.world.settle();
  opened.heard.length = 0;
  const enter = (code = opened.world.server.codeFor(ADA) ?? ''): void =>
    opened.store.send({ type: 'otp/codeEntered', code });
  const types = () => opened.heard.map(({ type }) => type);
  return { ...opened, enter, types };
}

const optionsOf = (heard: HostEvent[], config = EMAIL) => ({
  config,
  callbacks: { onEvent: (event: HostEvent) => void heard.push(event) },
});

describe('the events of a login', () => {
  it('all reach a host that takes the widget away at the first of them', async () => {
    const { world, widget, heard, enter, types, screen } = await sent();
    widget.configure({
      config: EMAIL,
      callbacks: {
        onEvent: (event) => {
          heard.push(event);
          widget.destroy();
        },
      },
    });
    enter();
    await world.settle();
    expect([types(), screen().name]).toEqual([BOTH, 'OTPConfirmation']);
  });

  it('find the session there, and carry the reply', async () => {
    const { world, sessions, widget, enter, heard } = await sent();
    const seen: (string | undefined)[] = [];
    let first = true;
    sessions.session$.subscribe(() => {
      if (!first) widget.destroy();
      first = false;
    });
    widget.configure({
      config: EMAIL,
      callbacks: {
        onEvent: (event) => {
          heard.push(event);
          seen.push(sessions.state().session?.session_id);
        },
      },
    });
    enter();
    await world.settle();
    expect(seen).toEqual([sessions.state().session?.session_id, sessions.state().session?.session_id]);
    expect(heard[0]).toMatchObject({ type: BOTH[0], data: { session: sessions.state().session } });
  });

  it('are told once where another widget took its place while the server was asked', async () => {
    const { world, widget, services, heard, enter, types } = await sent();
    enter();
    widget.destroy();
    const next = loginWidget(services, optionsOf(heard));
    await world.settle();
    expect([...types()].sort()).toEqual([...BOTH].sort());
    expect(next.store.getState().screen.name).toBe('AuthenticateFlowComplete');
  });

  it('are told again by the next login', async () => {
    const { world, widget, services, heard, enter, types } = await sent();
    enter();
    widget.destroy();
    await world.settle();
    const next = loginWidget(services, optionsOf(heard));
    await services.lifecycle.revoke(true);
    await world.settle();
    next.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    next.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
    next.destroy();
    await world.settle();
    expect(types()).toEqual([...BOTH, 'OTP_LOGIN_OR_CREATE', ...BOTH]);
  });

  it('are none for a login that fails after the widget was taken away', async () => {
    const { world, widget, enter, types, errors } = await sent();
    world.transport.answer(otps.authenticate, () => errorReply(404, 'otp_code_not_found'));
    enter();
    widget.destroy();
    await world.settle();
    expect([types(), errors]).toEqual([[], []]);
  });

  it('are none for a session that was there before the widget', async () => {
    const { world, widget, enter, types, services, heard } = await sent();
    enter();
    await world.settle();
    widget.destroy();
    loginWidget(services, optionsOf(heard)).destroy();
    expect(types()).toEqual(BOTH);
  });
});

describe('the login link of a reset email', () => {
  it.each([1, 2, 3])('is reported once on a page that is mounted %i times', async (mounts) => {
    const world = await worldWith('password');
    const { client } = world.open();
    await client.passwords.resetByEmailStart({ email: ADA });
    const token = world.server.tokenFor(ADA, 'login') ?? '';
    const heard: HostEvent[] = [];
    const opened = openWidget(
      (services) => loginWidget(services, { ...optionsOf(heard, ALONE), token }, 'login'),
      ALONE,
      {
        world,
      },
    );
    let { widget } = opened;
    for (let more = 1; more < mounts; more += 1) {
      if (more === 2) await Promise.resolve();
      widget.destroy();
      widget = loginWidget(opened.services, { ...optionsOf(heard, ALONE), token }, 'login');
    }
    opened.sessions.session$.subscribe((session) => session !== null && widget.destroy());
    for (let turn = 0; turn < 10; turn += 1) await world.settle();
    expect(heard.map(({ type }) => type)).toEqual(['AUTHENTICATE_FLOW_COMPLETE']);
  });
});
