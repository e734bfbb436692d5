import type { ParsedPhone, PhonePort } from '../../application/ports/index.ts';

/** Telephone numbers of the United States and Germany alone, by rules that a test can follow in its head. */
export class FakePhone implements PhonePort {
  /** Set to make every call reject. */
  broken: Error | null = null;

  async parse(national: string, country: string): Promise<ParsedPhone> {
    if (this.broken !== null) throw this.broken;
    const digits = national.replaceAll(/\D/gu, '');
    if (national.trim().startsWith('+'))
      return digits.length > 7 ? { valid: true, number: `+${digits}` } : { valid: false };
    if (country === 'US' && digits.length === 10) return { valid: true, number: `+1${digits}` };
    if (country === 'DE' && digits.length > 7) return { valid: true, number: `+49${digits.replace(/^0/u, '')}` };
    return { valid: false };
  }

  async format(national: string, country: string): Promise<string> {
    if (this.broken !== null) throw this.broken;
    const digits = national.replaceAll(/\D/gu, '');
    if (country !== 'US' || digits.length !== 10) return national;
    return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
  }
}
