import { cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { commit, compose } from './input-method.ts';
import { showState } from './show.tsx';

afterEach(cleanup);

const press = (name: string): void => void fireEvent.click(page.getByRole('button', { name }));

describe('the field for the code of a device', () => {
  const open = () =>
    showState({ screen: { name: 'IDPConsent' }, consent: { status: 'deviceCode', userCode: '', error: null } }).model;
  const field = () => page.getByRole<HTMLInputElement>('textbox');

  it('writes two groups at the end of a composition', () => {
    const model = open();
    compose(field(), 'ｗｄｊｂ', 'ｗｄｊｂｍｊｈｔ');
    expect(field().value).toBe('ｗｄｊｂｍｊｈｔ');
    commit(field(), 'ｗｄｊｂｍｊｈｔ');
    expect(field().value).toBe('WDJB-MJHT');
    press('Continue');
    expect(model.sent('device/codeEntered')).toEqual([{ type: 'device/codeEntered', code: 'WDJB-MJHT' }]);
  });

  it('sends the code that the browser filled in without an event', () => {
    const model = open();
    press('Continue');
    expect(model.sent('device/codeEntered')).toEqual([]);
    field().value = 'wdjbmjht';
    press('Continue');
    expect(model.sent('device/codeEntered')).toEqual([{ type: 'device/codeEntered', code: 'WDJB-MJHT' }]);
  });
});
