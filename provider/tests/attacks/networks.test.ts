import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, networkOf } from '../../src/http/peer.ts';

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
