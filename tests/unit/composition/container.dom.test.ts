import { Container } from 'inversify';
import { describe, expect, it, vi } from 'vitest';
import { wireCore, type ClientSettings } from '#composition/core.ts';
import { wireLazy } from '#composition/lazy/wire-lazy.ts';
import { TestWorld } from '../application/world.ts';

/** The code that a client loads at its first use, on this page. */
function loadedClient() {
  const ports = new TestWorld().tab('http://localhost:3000/');
  const settings: ClientSettings = {
    publicToken: 'public-token-test-1',
    origin: 'https://api.example.com',
    cookieOptions: {},
    endpointOptions: {},
    telemetry: false,
    ports,
    own: ports,
    onFailure: () => undefined,
    window,
  };
  const core = wireCore(settings, {
    events: null,
    late: () => Promise.reject(new Error('Nothing is loaded here.')),
  });
  const bind = vi.spyOn(Container.prototype, 'bind');
  const late = wireLazy(core, settings);
  const end = (): void => {
    core.sessions.destroy();
    bind.mockRestore();
  };
  return { core, late, bind, end };
}

describe('the container of a page', () => {
  it.each([
    ['pointer', new Event('pointerdown')],
    ['key', new Event('keydown')],
  ])('is made when a person presses a %s, once, and not for a page that is only looked at', (_, press) => {
    const { bind, end } = loadedClient();
    expect(bind).not.toHaveBeenCalled();
    document.body.dispatchEvent(press);
    const made = bind.mock.calls.length;
    expect(made).toBeGreaterThan(0);
    window.dispatchEvent(new Event('pointerdown'));
    window.dispatchEvent(new Event('keydown'));
    expect(bind).toHaveBeenCalledTimes(made);
    end();
  });

  it('is made by a call that comes without a press', async () => {
    const { late, bind, end } = loadedClient();
    await expect(late.otps.authenticate('', '', { session_duration_minutes: 30 })).rejects.toThrow();
    expect(bind).toHaveBeenCalled();
    end();
  });

  it('is not made for a client that was destroyed', () => {
    const { core, bind, end } = loadedClient();
    core.sessions.destroy();
    window.dispatchEvent(new Event('pointerdown'));
    window.dispatchEvent(new Event('keydown'));
    expect(bind).not.toHaveBeenCalled();
    end();
  });
});
