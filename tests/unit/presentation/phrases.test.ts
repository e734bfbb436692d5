import { afterEach, describe, expect, it, vi } from 'vitest';
import { ja as account } from '#presentation/messages/ja/account.ts';
import { ja } from '#presentation/messages/ja/login.ts';
import { breakable, inPhrases } from '#presentation/messages/phrases.ts';

const MARK = '\u200B';
const split = (text: string): readonly string[] => inPhrases(text).split(MARK);
const TEXTS = Object.values({ ...ja, ...account });

describe('Japanese texts', () => {
  it('break between phrases', () => {
    expect(split('ほかの暗号資産ウォレットで続ける')).toEqual(['ほかの', '暗号資産ウォレットで', '続ける']);
    expect(split('パスワードをお忘れですか？')).toEqual(['パスワードを', 'お忘れですか？']);
    expect(split('メールで受け取る')).toEqual(['メールで', '受け取る']);
    expect(split('しばらくしてからもう一度お試しください。')).toEqual([
      'しばらくしてから',
      'もう一度',
      'お試しください。',
    ]);
    expect(split('サポートにお問い合わせください。')).toEqual(['サポートに', 'お問い合わせください。']);
    expect(split('電話番号は「START」と送信')).toEqual(['電話番号は', '「START」と', '送信']);
    expect(split('新規登録またはログイン')).toEqual(['新規登録', 'または', 'ログイン']);
  });

  it('begin no line with a particle, a small kana or a mark', () => {
    const begun = TEXTS.flatMap((text) => split(text).slice(1));
    expect(begun.length).toBeGreaterThan(500);
    expect(
      begun.filter((phrase) => /^[をがはへにのとかねゃゅょっぁぃぅぇぉァィゥェォッャュョー、。」？！…]/u.test(phrase)),
    ).toEqual([]);
  });

  it('have phrases that fit into a line of the narrowest card', () => {
    const phrases = TEXTS.flatMap((text) => split(text.replaceAll(/\{\w+\}/gu, '')));
    expect(phrases.filter((phrase) => phrase.split(/[、。 \u00A0]/u).some((run) => run.length > 17))).toEqual([]);
  });

  it('keep a particle on the line of the value before it', () => {
    expect(TEXTS.filter((text) => /[}\w] (?=\p{Script=Hiragana})/u.test(text))).toEqual([]);
  });

  afterEach(() => void vi.unstubAllGlobals());

  it('are marked for browsers alone that find no phrases themselves', () => {
    const texts = { done: 'メールを送信' };
    vi.stubGlobal('CSS', {
      supports: (name: string, value: string) => `${name}:${value}` === 'word-break:auto-phrase',
    });
    expect(breakable(texts)).toBe(texts);
    vi.stubGlobal('CSS', { supports: () => false });
    expect(breakable(texts)).toEqual({ done: `メールを${MARK}送信` });
  });
});
