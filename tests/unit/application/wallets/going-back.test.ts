import { describe, expect, it } from 'vitest';
import { cryptoWallets } from '#application/api/index.ts';
import { open } from './open-wallets.ts';

describe('going back from a wallet', () => {
  it('that still asks for an address tells the server none, and Main is usable', async () => {
    const { world, wallet, choose, screen, store, sent } = await open();
    const decide = wallet.hold();
    choose('metamask');
    await world.settle();
    store.send({ type: 'back' });
    expect(store.getState()).toMatchObject({ screen: { name: 'Main' }, pending: null });
    decide();
    await world.settle();
    expect(sent().starts).toHaveLength(0);
    choose('metamask');
    await world.settle();
    expect(screen().name).toBe('CryptoConfirmation');
  });

  it('while the challenge is requested prevents its signing', async () => {
    const { world, wallet, choose, screen, store, heard } = await open();
    const gate = world.transport.hold(cryptoWallets.authenticateStartPrimary);
    choose('metamask');
    await world.settle();
    store.send({ type: 'back' });
    gate.release();
    await world.settle();
    expect([screen().name, wallet.signed, heard]).toEqual(['Main', [], []]);
  });

  it('that still asks for a signature sends none, and signs no one in', async () => {
    const { world, wallet, choose, screen, store, sent, sessions, errors } = await open();
    const gate = world.transport.hold(cryptoWallets.authenticateStartPrimary);
    choose('metamask');
    await world.settle();
    const decide = wallet.hold();
    gate.release();
    await world.settle();
    expect(screen().name).toBe('CryptoSignMessage');
    store.send({ type: 'back' });
    decide();
    await world.settle();
    expect(wallet.signed).toHaveLength(1);
    expect(sent().finishes).toHaveLength(0);
    expect([screen().name, sessions.tokens(), errors]).toEqual(['Main', null, []]);
  });

  it('and choosing again joins the question that the wallet still asks', async () => {
    const { world, wallet, choose, screen, store, sent } = await open();
    const decide = wallet.hold();
    choose('metamask');
    await world.settle();
    store.send({ type: 'back' });
    choose('metamask');
    await world.settle();
    expect(wallet.asked).toEqual(['connect metamask']);
    decide();
    await world.settle();
    expect(screen().name).toBe('CryptoConfirmation');
    expect(sent().starts).toHaveLength(1);
  });

  it('after the signature went out says that they are signed in, once they are', async () => {
    const { world, choose, screen, store, heard } = await open();
    const gate = world.transport.hold(cryptoWallets.authenticate);
    choose('metamask');
    await world.settle();
    expect(screen()).toMatchObject({ name: 'CryptoSignMessage', isSigned: true });
    store.send({ type: 'back' });
    gate.release();
    await world.settle();
    expect(screen().name).toBe('AuthenticateFlowComplete');
    expect(heard.at(-1)?.type).toBe('AUTHENTICATE_FLOW_COMPLETE');
  });
});

describe('another tab that signs in while a wallet asks', () => {
  it('ends the wait: what the wallet answers then goes nowhere', async () => {
    const { world, wallet, choose, screen, sent, errors } = await open();
    const decide = wallet.hold();
    choose('metamask');
    await world.settle();
    const { client } = world.open();
    await world.signIn(client);
    await world.settle();

    expect(screen().name).toBe('AuthenticateFlowComplete');
    decide();
    await world.settle();
    expect([sent().starts.length, sent().finishes.length, errors]).toEqual([0, 0, []]);
  });
});
