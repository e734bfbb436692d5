import type { FormattedPhone, ParsedPhone, PhonePort } from '#application/ports/index.ts';

interface Rule {
  readonly code: string;
  readonly lengths: readonly number[];
  /** The digits after the calling code in groups, without the national trunk prefix. */
  readonly groups: (digits: string) => readonly string[];
  readonly atHome: (digits: string) => string;
}

const some = (groups: readonly string[]): readonly string[] => groups.filter((group) => group !== '');

const RULES: Readonly<Record<string, Rule>> = {
  US: {
    code: '1',
    lengths: [10],
    groups: (digits) => some([digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)]),
    atHome: (digits) => {
      if (digits.length < 4 || digits.length > 10) return digits;
      const end = digits.slice(6);
      return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}${end && `-${end}`}`;
    },
  },
  DE: {
    code: '49',
    lengths: [10, 11],
    groups: (digits) => some([digits.slice(0, 4), digits.slice(4)]),
    atHome: (digits) => (digits.length > 4 ? `0${digits.slice(0, 4)} ${digits.slice(4)}` : `0${digits}`),
  },
};

/** Telephone numbers of the United States and Germany only, with simple rules for tests. */
export class FakePhone implements PhonePort {
  /** Set to make every call reject. */
  broken: Error | null = null;
  /** Set a promise to make every call wait for it. */
  until: Promise<unknown> | null = null;
  /** The calls, oldest first. */
  readonly asked: string[] = [];

  async parse(national: string, country: string): Promise<ParsedPhone> {
    await this.answer('parse', national);
    const found = read(national, country);
    if (found === null) return { valid: false };
    const { digits, rule } = found;
    if (!rule.lengths.includes(digits.length)) return { valid: false };
    return {
      valid: true,
      number: `+${rule.code}${digits}`,
      international: [`+${rule.code}`, ...rule.groups(digits)].join(' '),
    };
  }

  async format(national: string, country: string): Promise<FormattedPhone> {
    await this.answer('format', national);
    const found = read(national, country);
    if (found === null || national === '') return { text: national, country: null };
    const { digits, rule, own } = found;
    if (own === null)
      return { text: national.startsWith('0') || country === 'US' ? rule.atHome(digits) : national, country: own };
    const complete = rule.lengths.includes(digits.length);
    return {
      text: complete ? rule.atHome(digits) : [`+${rule.code}`, ...rule.groups(digits)].join(' '),
      country: own,
    };
  }

  private async answer(method: 'parse' | 'format', national: string): Promise<void> {
    this.asked.push(`${method} ${national}`);
    await this.until;
    if (this.broken !== null) throw this.broken;
  }
}

/** The rule for a text, and its digits after the calling code; null when the text is not a number. */
function read(text: string, country: string): { rule: Rule; digits: string; own: string | null } | null {
  if (!/^\+?[\d\s()./-]*$/u.test(text)) return null;
  const digits = text.replaceAll(/\D/gu, '');
  if (text.startsWith('+')) {
    for (const [own, rule] of Object.entries(RULES)) {
      if (digits.startsWith(rule.code)) return { rule, digits: digits.slice(rule.code.length), own };
    }
    return null;
  }
  const rule = RULES[country];
  return rule === undefined ? null : { rule, digits: digits.replace(/^0/u, ''), own: null };
}
