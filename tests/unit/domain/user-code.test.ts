import { expect, it } from 'vitest';
import { shownUserCode } from '#domain/consent/user-code.ts';

it.each(['wdjbmjht', ' WDJB – MJHT ', 'ＷＤＪＢ－ＭＪＨＴ', 'ｗｄｊｂ　ｍｊｈｔ'])(
  'reads the code of a device in %s',
  (text) => {
    expect(shownUserCode(text)).toBe('WDJB-MJHT');
  },
);
