import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, networkOf, networkSteps } from '#provider/base/peer.ts';

describe('one address that is written in many ways', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:0db8:0:0:5::'],
    ['2001:db8::', '2001:DB8::1%eth0'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['203.0.113.7', '::ffff:203.0.113.7'],
    ['203.0.113.7', '::FFFF:cb00:7107'],
    ['203.0.113.7', '0:0:0:0:0:ffff:203.0.113.7'],
    ['203.0.113.7', '::203.0.113.7'],
    ['203.0.113.7', '64:ff9b::cb00:7107'],
    ['203.0.113.7', '64:ff9b::203.0.113.7'],
    ['203.0.113.7', '2002:cb00:7107::1'],
    ['203.0.113.7', '2002:cb00:7107:ffff::1'],
    ['203.0.113.7', '2001:0:1:2:3:4:34ff:8ef8'],
  ])('%s and %s are one network', (one, other) => {
    expect(networkOf(other)).toBe(networkOf(one));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['::1', '::ffff:127.0.0.1'],
    ['2001:db8::1', '2001:db9::1'],
    ['203.0.113.7', '2002:cb00:7108::1'],
    ['::', '0.0.0.0'],
  ])('%s and %s are two networks', (one, other) => {
    expect(networkOf(other)).not.toBe(networkOf(one));
  });

  it.each(['', 'x', '1.2.3', '::g', '1:2:3:4:5:6:7:8:9', '%eth0'])(
    '%j is counted like every other invalid address',
    (address) => {
      expect(networkOf(address)).toBe('unknown');
    },
  );
});

describe('the networks that an address is in', () => {
  it.each([
    ['2001:db8:1:2345::1', ['2001:db8:1:2345::/64', '2001:db8:1:2300::/56', '2001:db8:1::/48']],
    ['2001:db8::1%eth0', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ['fd12:3456:789a:1::1', ['fd12:3456:789a:1::/64', 'fd12:3456:789a:0::/56', 'fd12:3456:789a::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64']],
    ['febf:1::1', ['febf:1:0:0::/64']],
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['64:ff9b::203.0.113.7', ['203.0.113.7']],
    ['64:ff9b:1:fffe::203.0.113.7', ['203.0.113.7']],
    ['2002:cb00:7107:1::1', ['203.0.113.7']],
    ['2001:0:1:2:3:4:34ff:8ef8', ['203.0.113.7']],
    ['', ['unknown']],
  ])('%s is in %j', (address, steps) => {
    expect(networkSteps(address)).toEqual(steps);
  });

  it('two networks of a /56 are in one, and so are two of a /48', () => {
    const [, of56, of48] = networkSteps('2001:db8:1:2301::1');
    expect(networkSteps('2001:db8:1:23ff::1').slice(1)).toEqual([of56, of48]);
    expect(networkSteps('2001:db8:1:2400::1')[1]).not.toBe(of56);
    expect(networkSteps('2001:db8:1:2400::1')[2]).toBe(of48);
    expect(networkSteps('2001:db8:2:2301::1')[2]).not.toBe(of48);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::1%lo', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['fe80::1', false],
  ['::ffff:10.0.0.1', false],
  ['127.0.0.1.evil.example', false],
  ['', false],
])('%s is this machine: %j', (address, local) => {
  expect(isLoopbackAddress(address)).toBe(local);
});
