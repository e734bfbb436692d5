import type { CDPSession, Page } from '@playwright/test';

/** The input method of a Chromium page: it underlines a text in the field that has the focus, and then commits it. */
export class InputMethod {
  private constructor(private readonly channel: CDPSession) {}

  static async of(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page));
  }

  async compose(text: string): Promise<void> {
    await this.channel.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }

  async commit(text: string): Promise<void> {
    await this.channel.send('Input.insertText', { text });
  }

  /** Each character is a composition. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      await this.compose(character);
      await this.commit(character);
    }
  }

  /** The text is one composition that grows. */
  async composeAll(text: string): Promise<void> {
    for (let end = 1; end <= text.length; end += 1) await this.compose(text.slice(0, end));
  }
}

/** The text with the digits of a Japanese keyboard. */
export const fullWidth = (text: string): string =>
  text.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
