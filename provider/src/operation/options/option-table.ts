/** One option of the server: a flag, an environment variable, or both. The flag takes precedence. */
export interface OptionSpec {
  readonly flag?: string;
  readonly variable?: string;
  /** The word after the flag; absent for a switch, whose variable is `1` or `0`. */
  readonly argument?: string;
  /** True if a variable with `_FILE` after its name may name a file with the value, for secrets mounted by containers and systemd. */
  readonly isSecret?: true;
  readonly help: string;
}

/**
 * Every option of the server. `--help` prints this table, the provider's README describes the same options, and flags and variables are
 * read by it.
 */
export const OPTIONS = {
  port: { flag: 'port', variable: 'PORTICO_PORT', argument: 'N', help: 'the port, default 4100; 0 takes any free one' },
  host: {
    flag: 'host',
    variable: 'PORTICO_HOST',
    argument: 'NAME',
    help: 'the address to listen on; default: this machine only',
  },
  data: {
    flag: 'data',
    variable: 'PORTICO_DATA',
    argument: 'DIR',
    help: 'the folder of the embedded database, default .data/provider; "memory" keeps nothing',
  },
  databaseUrl: {
    flag: 'database-url',
    variable: 'PORTICO_DATABASE_URL',
    argument: 'URL',
    isSecret: true,
    help: 'your own PostgreSQL instead: postgres://…',
  },
  poolSize: {
    flag: 'pool-size',
    variable: 'PORTICO_POOL_SIZE',
    argument: 'N',
    help: 'connections to PostgreSQL, default 20',
  },
  noMigrate: {
    flag: 'no-migrate',
    variable: 'PORTICO_NO_MIGRATE',
    help: 'rejects a schema that is not up to date, instead of changing it; see the command migrate',
  },
  keyFile: {
    flag: 'key-file',
    variable: 'PORTICO_KEY_FILE',
    argument: 'FILE',
    help: 'the key of that database; "keys FILE" makes one',
  },
  key: { variable: 'PORTICO_KEY', help: 'the key itself, instead of its file' },
  fresh: { flag: 'fresh', help: 'empties the data folder first' },
  project: { flag: 'project', variable: 'PORTICO_PROJECT', argument: 'FILE', help: 'your project file' },
  authorizationUrl: {
    flag: 'authorization-url',
    variable: 'PORTICO_AUTHORIZATION_URL',
    argument: 'URL',
    help: 'the consent page for connected apps, instead of the one in the project file',
  },
  dev: {
    flag: 'dev',
    variable: 'PORTICO_DEV',
    help: 'development mode: an inbox, social accounts without passwords; for this machine only',
  },
  demoUrl: {
    flag: 'demo-url',
    argument: 'URL',
    help: 'with --dev: the demo that the pages of the inbox link to; default: no link',
  },
  drainSeconds: {
    flag: 'drain-seconds',
    variable: 'PORTICO_DRAIN_SECONDS',
    argument: 'N',
    help: 'seconds of service after SIGTERM, while /readyz fails; default 5, with --dev 0',
  },
  smtpUrl: {
    flag: 'smtp-url',
    variable: 'PORTICO_SMTP_URL',
    argument: 'URL',
    isSecret: true,
    help: 'the mail server: smtp://user:password@host:587',
  },
  mailFrom: {
    flag: 'mail-from',
    variable: 'PORTICO_MAIL_FROM',
    argument: 'ADDRESS',
    help: 'the sender of emails: "Name <login@example.com>"',
  },
  smsUrl: {
    variable: 'PORTICO_SMS_URL',
    help: 'your own program that sends text messages, called by signed requests',
  },
  smsSecret: { variable: 'PORTICO_SMS_SECRET', isSecret: true, help: 'the secret of those requests: whsec_…' },
  whatsappUrl: { variable: 'PORTICO_WHATSAPP_URL', help: 'the same for WhatsApp' },
  whatsappSecret: { variable: 'PORTICO_WHATSAPP_SECRET', isSecret: true, help: 'the secret of those requests' },
  twilioAccountSid: { variable: 'PORTICO_TWILIO_ACCOUNT_SID', help: 'an account at Twilio, for text messages' },
  twilioAuthToken: { variable: 'PORTICO_TWILIO_AUTH_TOKEN', isSecret: true, help: 'the token of that account' },
  twilioFrom: { variable: 'PORTICO_TWILIO_FROM', help: 'the sender of text messages' },
  twilioMessagingServiceSid: {
    variable: 'PORTICO_TWILIO_MESSAGING_SERVICE_SID',
    help: 'instead of the sender: the messaging service that chooses it',
  },
  twilioWhatsappFrom: { variable: 'PORTICO_TWILIO_WHATSAPP_FROM', help: 'the sender of WhatsApp messages' },
  twilioContentSid: {
    variable: 'PORTICO_TWILIO_CONTENT_SID',
    help: 'the approved template of WhatsApp messages, whose variable 1 is the code',
  },
  trustProxy: {
    flag: 'trust-proxy',
    variable: 'PORTICO_TRUST_PROXY',
    argument: 'LIST',
    help: 'the proxies whose X-Forwarded headers count: networks, or a number of hops',
  },
  keepAlive: {
    flag: 'keep-alive',
    variable: 'PORTICO_KEEP_ALIVE',
    argument: 'SECONDS',
    help: 'seconds before an idle connection of such a proxy is closed, default 65: more than the proxy uses',
  },
  outgoingProxy: {
    flag: 'outgoing-proxy',
    variable: 'PORTICO_OUTGOING_PROXY',
    argument: 'URL',
    isSecret: true,
    help: 'the proxy through which this server calls other services: http://proxy.example:3128',
  },
  breachedPasswords: {
    flag: 'breached-passwords',
    variable: 'PORTICO_BREACHED_PASSWORDS',
    argument: 'SOURCE',
    help: 'breached passwords: the URL of a range API, a sorted file, or a folder of ranges',
  },
  logLevel: {
    flag: 'log-level',
    variable: 'PORTICO_LOG_LEVEL',
    argument: 'LEVEL',
    help: 'silent, error, warn, info or debug; default info, with --dev warn',
  },
  logFormat: {
    flag: 'log-format',
    variable: 'PORTICO_LOG_FORMAT',
    argument: 'FORMAT',
    help: 'json or text; default text on a terminal and with --dev, else json',
  },
  verbose: { flag: 'verbose', help: 'the same as --log-level info' },
  metricsPort: {
    flag: 'metrics-port',
    variable: 'PORTICO_METRICS_PORT',
    argument: 'N',
    help: 'serves /metrics on a separate port; default: off',
  },
  metricsHost: {
    flag: 'metrics-host',
    variable: 'PORTICO_METRICS_HOST',
    argument: 'NAME',
    help: 'the address of that port; default: this machine only',
  },
  operatorsPort: {
    flag: 'operators-port',
    variable: 'PORTICO_OPERATORS_PORT',
    argument: 'N',
    help: "serves the operators' page on a separate port; default: off",
  },
  operatorsHost: {
    flag: 'operators-host',
    variable: 'PORTICO_OPERATORS_HOST',
    argument: 'NAME',
    help: 'the address of that port; default: this machine only',
  },
  operatorsOrigin: {
    flag: 'operators-origin',
    variable: 'PORTICO_OPERATORS_ORIGIN',
    argument: 'URL',
    help: 'the origin of the page in browsers, such as https://ops.example.com; default: http://localhost with that port',
  },
  otel: {
    flag: 'otel',
    variable: 'PORTICO_OTEL',
    help: 'traces by OpenTelemetry; default: if OTEL_EXPORTER_OTLP_ENDPOINT is set',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** Both names of an option, for messages that do not know which of them was used. */
export function bothNames(name: OptionName): string {
  const { flag, variable }: OptionSpec = OPTIONS[name];
  return variable === undefined ? `--${flag ?? ''}` : flag === undefined ? variable : `--${flag} (${variable})`;
}
