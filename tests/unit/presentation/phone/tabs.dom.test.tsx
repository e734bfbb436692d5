import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { apiError } from '../../../gallery/fixture.ts';
import { PHONE, TABS } from '../../../gallery/fixtures/phone.ts';
import { showScreen, showState } from '../show.tsx';

afterEach(cleanup);

const show = (config: LoginConfig = TABS) => showScreen({ name: 'Main', email: '' }, { config });
const names = () => screen.getAllByRole('tab').map((tab) => tab.textContent);
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;
const tab = (name: string) => screen.getByRole('tab', { name });
const fields = () => screen.getAllByRole<HTMLInputElement>('textbox').map(({ type }) => type);

describe('The tabs of the login form', () => {
  it('are there for more than one way alone', () => {
    show(PHONE);
    expect(screen.queryByRole('tablist')).toBeNull();
    expect(screen.queryByRole('tabpanel')).toBeNull();
    expect(fields()).toEqual(['tel']);
    cleanup();
    show();
    expect(names()).toEqual(['Text', 'WhatsApp', 'Email']);
    cleanup();
    show({ products: ['passwords', 'otp'], otpOptions: { methods: ['whatsapp'] } });
    expect(names()).toEqual(['Email', 'WhatsApp']);
  });

  it('name their panels, which name them', async () => {
    show();
    for (const name of ['Text', 'WhatsApp', 'Email']) {
      await userEvent.click(tab(name));
      const panel = screen.getByRole('tabpanel');
      expect(panel.id).toBe(tab(name).getAttribute('aria-controls'));
      expect(panel.getAttribute('aria-labelledby')).toBe(tab(name).id);
      expect(screen.getByRole('button', { name: /^Continue with/u }).textContent).toBe(
        { Text: 'Continue with text', WhatsApp: 'Continue with WhatsApp', Email: 'Continue with email' }[name],
      );
    }
  });

  it('keep the typed text, and share the number between SMS and WhatsApp', async () => {
    const { model } = show();
    await userEvent.type(screen.getByRole('textbox'), '415');
    await userEvent.click(tab('Email'));
    await userEvent.type(screen.getByRole('textbox'), 'ada@');
    await userEvent.click(tab('WhatsApp'));
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('415');
    await userEvent.click(screen.getByRole('button', { name: 'Continue with WhatsApp' }));
    expect(model.sent('phone/requested')[0]).toMatchObject({ method: 'whatsapp', national: '415' });
    await userEvent.click(tab('Email'));
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('ada@');
  });

  it('are one stop for Tab, and move by arrows, Home and End', async () => {
    show();
    await userEvent.tab();
    expect(document.activeElement).toBe(tab('Text'));
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(tab('WhatsApp'));
    expect(chosen()).toBe('WhatsApp');
    await userEvent.keyboard('{End}');
    expect(chosen()).toBe('Email');
    await userEvent.keyboard('{ArrowRight}');
    expect(chosen()).toBe('Text');
    await userEvent.keyboard('{ArrowLeft}');
    expect(chosen()).toBe('Email');
    await userEvent.keyboard('{Home}');
    expect(chosen()).toBe('Text');
    expect(document.activeElement).toBe(tab('Text'));
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Country/u }));
    await userEvent.tab({ shift: true });
    expect(document.activeElement).toBe(tab('Text'));
  });

  it('mirror the arrows where text runs from the right', async () => {
    document.body.style.direction = 'rtl';
    show();
    tab('Text').focus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(chosen()).toBe('WhatsApp');
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(chosen()).toBe('Email');
    document.body.style.direction = '';
  });

  it('clear the error of the previous tab, but only when another tab is chosen', async () => {
    const { model } = showState({ error: apiError('unsubscribed_phone_number') }, { config: TABS });
    await userEvent.click(tab('Text'));
    expect(model.intents).toEqual([]);
    await userEvent.click(tab('WhatsApp'));
    expect(model.intents).toEqual([{ type: 'tab/chosen' }]);
    expect(model.getState().error).toBeNull();
  });

  it('show the tab to which the user returns', () => {
    showScreen({ name: 'Main', email: 'ada@example.com' }, { config: TABS });
    expect(chosen()).toBe('Email');
    cleanup();
    const phone = { method: 'whatsapp', country: 'DE', national: '0151' } as const;
    showScreen({ name: 'Main', email: '', phone }, { config: TABS });
    expect(chosen()).toBe('WhatsApp');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('0151');
  });
});
