import { describe, expect, it } from 'vitest';
import { deliveryWith } from '#provider/operation/options/delivery.ts';
import { readMasterKeys } from '#provider/operation/store/key-file.ts';
import { OPTIONS, type OptionName, type OptionSpec } from '#provider/operation/options/option-table.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { projectToServe, proxiesOf } from '#provider/operation/server/serving.ts';
import { unknownVariables } from '#provider/operation/options/unknown-variables.ts';
import { NO_DELIVERY } from '#provider/project/settings/delivery.ts';
import { listedIf } from '#tests/soak-tests.ts';

type Environment = Readonly<Record<string, string>>;

/** What an option needs beside it. */
interface Row {
  /** Values of another type, or in another unit. Empty only where every text is one. */
  readonly wrong: readonly string[];
  /** Options that it needs beside it, as variables. */
  readonly beside?: Environment;
}

const DATABASE = { PORTICO_DATABASE_URL: 'postgres://localhost/x', PORTICO_KEY: 'x' };
const TWILIO = {
  PORTICO_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  PORTICO_TWILIO_AUTH_TOKEN: 'x',
  PORTICO_TWILIO_FROM: '+15555550100',
};
const { PORTICO_TWILIO_FROM: _, ...ACCOUNT } = TWILIO;
const WHATSAPP = { ...ACCOUNT, PORTICO_TWILIO_WHATSAPP_FROM: '+15555550100' };
const SECRET = `whsec_${'A'.repeat(32)}`;
const ANY_TEXT: Row = { wrong: [] };
const SWITCH: Row = { wrong: ['2', 'maybe'] };

/** An option without its row does not compile. */
const ROWS: Readonly<Record<OptionName, Row>> = {
  port: { wrong: ['abc', '65536', '1.5', '-1', 'tcp://10.0.0.1:4100'] },
  host: ANY_TEXT,
  data: ANY_TEXT,
  databaseUrl: { wrong: ['mysql://localhost/x', 'localhost'] },
  poolSize: { wrong: ['1', 'many', '1001'], beside: DATABASE },
  noMigrate: SWITCH,
  keyFile: { wrong: ['/nowhere/portico.key'], beside: { PORTICO_DATABASE_URL: 'postgres://localhost/x' } },
  key: { wrong: ['too-short'], beside: { PORTICO_DATABASE_URL: 'postgres://localhost/x' } },
  fresh: ANY_TEXT,
  project: { wrong: ['/nowhere/portico.jsonc'] },
  authorizationUrl: { wrong: ['consent', 'https://elsewhere.example/'], beside: { PORTICO_DEV: '1' } },
  dev: SWITCH,
  demoUrl: { wrong: ['demo', 'ftp://localhost'], beside: { PORTICO_DEV: '1' } },
  drainSeconds: { wrong: ['5s', '5000', '-1'] },
  smtpUrl: { wrong: ['mail.example.com', 'http://mail.example.com'], beside: { PORTICO_MAIL_FROM: 'a@b.example' } },
  mailFrom: { wrong: ['Shop', 'a@b.example, c@d.example'], beside: { PORTICO_SMTP_URL: 'smtp://mail.example.com' } },
  smsUrl: { wrong: ['sms', 'ftp://a.example'], beside: { PORTICO_SMS_SECRET: SECRET } },
  smsSecret: { wrong: ['secret', 'whsec_AA'], beside: { PORTICO_SMS_URL: 'https://a.example' } },
  whatsappUrl: { wrong: ['sms', 'ftp://a.example'], beside: { PORTICO_WHATSAPP_SECRET: SECRET } },
  whatsappSecret: { wrong: ['secret'], beside: { PORTICO_WHATSAPP_URL: 'https://a.example' } },
  twilioAccountSid: { wrong: ['AC1', `SK${'0'.repeat(32)}`], beside: TWILIO },
  twilioAuthToken: { wrong: [], beside: TWILIO },
  twilioFrom: { wrong: ['a name that is too long', '+0'], beside: TWILIO },
  twilioMessagingServiceSid: { wrong: ['MG1'], beside: ACCOUNT },
  twilioWhatsappFrom: { wrong: ['a name that is too long'], beside: WHATSAPP },
  twilioContentSid: { wrong: ['HX1'], beside: WHATSAPP },
  trustProxy: { wrong: ['proxy.example', '10.0.0.0/99'] },
  keepAlive: { wrong: ['65s', '65000', '0'] },
  outgoingProxy: { wrong: ['proxy', 'ftp://proxy.example'] },
  // Files and folders are read at the start; a missing one is an error of the file system with its name.
  breachedPasswords: ANY_TEXT,
  logLevel: { wrong: ['verbose', '3'] },
  logFormat: { wrong: ['xml'] },
  verbose: ANY_TEXT,
  metricsPort: { wrong: ['abc', '65536'] },
  metricsHost: ANY_TEXT,
  operatorsPort: { wrong: ['abc', '65536'] },
  operatorsHost: { wrong: ['0.0.0.0'], beside: { PORTICO_OPERATORS_PORT: '4101' } },
  operatorsOrigin: {
    wrong: ['ops.example.com', 'http://ops.example.com', 'https://ops.example.com/x'],
    beside: { PORTICO_OPERATORS_PORT: '4101' },
  },
  otel: SWITCH,
};

/** What a start says before it opens anything; null for nothing. */
function messageOf(args: readonly string[], env: Environment): string | null {
  try {
    const options = optionsFrom(args, env);
    deliveryWith(NO_DELIVERY, options.delivery);
    proxiesOf(options);
    if (options.masterKey !== null) readMasterKeys(options.masterKey, false);
    if (options.projectFile !== null || options.authorizationUrl !== null) projectToServe(options);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(Object.entries(OPTIONS) as [OptionName, OptionSpec][])('the option %s', (option, spec) => {
  const { flag, variable, argument, isSecret } = spec;
  const { wrong, beside = {} } = ROWS[option];

  listedIf(wrong.length > 0, it)('names itself and what it must be, where its value is wrong', () => {
    for (const text of wrong) {
      const asVariable = variable === undefined ? null : messageOf([], { ...beside, [variable]: text });
      if (variable !== undefined) expect([text, asVariable]).toEqual([text, expect.stringContaining(variable)]);
      if (flag === undefined || argument === undefined) continue;
      const asFlag = messageOf([`--${flag}`, text], beside);
      expect([text, asFlag]).toEqual([text, expect.stringContaining(`--${flag}`)]);
    }
  });

  listedIf(flag !== undefined && argument !== undefined, it)('names itself where its value is missing', () => {
    expect(messageOf([`--${flag}`], {})).toContain(`--${flag}`);
  });

  listedIf(flag !== undefined, it)('is suggested for a misspelled flag', () => {
    expect(messageOf([`--${flag}s`], {})).toMatch(new RegExp(`^Unknown option '--${flag}s'\\. Did you mean --${flag}\\?$`, 'iu')); // prettier-ignore
  });

  listedIf(variable !== undefined, it)('is suggested for a misspelled variable', () => {
    const suggested = unknownVariables({ [`${variable}S`]: 'x' }, null).map(({ did_you_mean }) => did_you_mean);
    expect(suggested).toEqual([variable]);
    if (isSecret) expect(messageOf([], { ...beside, [`${variable}_FILE`]: '/nowhere' })).toContain(`${variable}_FILE`);
  });
});
