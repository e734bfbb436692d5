import { describe, expect, it } from 'vitest';
import { clientNameOf } from '#domain/consent/consent.ts';
import { destinationOf } from '#domain/consent/destination.ts';

describe('where the browser goes next', () => {
  it.each([
    ['http://localhost:3001/callback', null, true],
    ['http://127.0.0.1:9/callback', null, true],
    ['http://[::1]/callback', null, true],
    ['http://2130706433/callback', null, true],
    ['https://localhost.evil.example/callback', 'localhost.evil.example', false],
    ['https://localhost@evil.example/callback', 'evil.example', false],
    ['https://127.0.0.1.evil.example/callback', '127.0.0.1.evil.example', false],
    ['http://192.168.0.7/callback', null, false],
    ['http://bank.example/callback', null, false],
  ])('leads to a host or to an app on this device: %s', (uri, host, onDevice) => {
    expect(destinationOf(uri)).toEqual({ host, onDevice });
  });

  it.each([
    ['com.example.app:/callback', 'com.example.app:'],
    ['com.example.app://accounts.bank.example/callback', 'com.example.app:'],
    ['Com.Example.App://callback', 'com.example.app:'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
  ])('shows the scheme of a private-use address, in which an app can write any host: %s', (uri, scheme) => {
    expect([destinationOf(uri), clientNameOf({}, uri)]).toEqual([{ host: null, onDevice: true, scheme }, null]);
  });
});
