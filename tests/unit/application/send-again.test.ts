import { describe, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { openLogin } from './open-widget.ts';

const ADA = 'ada@example.com';

/** The form after a press without a network. */
async function withoutNetwork() {
  const opened = openLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });
  const { world, ports, store } = opened;
  let fails = true;
  ports.browser.isOnline = false;
  world.transport.answer(otps.emailLoginOrCreate, () => (fails ? offline() : { method_id: 'm-1' }));
  store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await world.settle();
  expect(store.getState().error).toMatchObject({ kind: 'unreachable', problem: 'offline' });
  const wake = async (isOnline: boolean): Promise<void> => {
    ports.browser.isOnline = isOnline;
    fails = !isOnline;
    ports.browser.wake();
    await world.settle();
  };
  return { ...opened, wake };
}

describe('a request that failed without a network', () => {
  it('is sent again by itself when there is one', async () => {
    const { wake, screen, world } = await withoutNetwork();
    await wake(true);
    expect(screen()).toMatchObject({ name: 'OTPAuthenticate', otp: { destination: ADA } });
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(2);
  });

  it('waits while there is none, as when the page becomes visible', async () => {
    const { wake, screen } = await withoutNetwork();
    await wake(false);
    expect(screen().name).toBe('Main');
    await wake(true);
    expect(screen().name).toBe('OTPAuthenticate');
  });

  it('is not sent again once the person has changed the form, whose error is gone then', async () => {
    const { wake, store, world } = await withoutNetwork();
    store.send({ type: 'form/edited' });
    expect(store.getState().error).toBeNull();
    await wake(true);
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(1);
  });

  it('is not sent again after another failure', async () => {
    const { wake, store, world } = await withoutNetwork();
    store.send({ type: 'otp/requested', method: 'email', destination: 'eve@example.com' });
    await world.settle();
    await wake(true);
    const sent = world.transport.requestsTo(otps.emailLoginOrCreate).map(({ body }) => body);
    expect(sent).toMatchObject([{ email: ADA }, { email: 'eve@example.com' }, { email: 'eve@example.com' }]);
  });

  it('is not sent again when it failed with a network', async () => {
    const { wake, ports, world, store } = await withoutNetwork();
    ports.browser.isOnline = true;
    store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    await wake(true);
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(2);
  });
});
