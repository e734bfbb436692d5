import { isRecord } from '#domain/shape.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import { namesOf, type Values } from './rows/row.ts';
import type { VendorFile } from './vendor.ts';

/** A record with its names, as they are and folded. */
interface Sample {
  readonly values: Values;
  readonly has: (...names: readonly string[]) => boolean;
  readonly hasAll: (...names: readonly string[]) => boolean;
  /** The text of a field, without the apostrophe that some CSV files have. */
  readonly text: (name: string) => string;
}

function sampleOf(values: Values): Sample {
  const names = namesOf(values);
  return {
    values,
    has: (...each) => each.some((name) => names.has(name)),
    hasAll: (...each) => each.every((name) => names.has(name)),
    text: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value.replace(/^'/u, '') : '';
    },
  };
}

const idOf = ({ text }: Sample): string => text('user_id') || text('id') || text('Id');
const hasObjects = (value: unknown, ...names: readonly string[]): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isRecord(each) && names.some((name) => Object.hasOwn(each, name))); // prettier-ignore

/** What only the export of one product has. An export without it, such as a few columns of a table, is of any product. */
const SIGNATURES: Readonly<Record<string, (sample: Sample) => boolean>> = {
  stytch: (sample) =>
    /^user-(?:test|live)-[0-9a-f-]{36}$/u.test(idOf(sample)) || sample.has('scryptcostparameter', 'emailid'),
  auth0: (sample) =>
    /^[\w-]{1,64}\|/u.test(idOf(sample)) ||
    sample.hasAll('_id', 'passwordhash') ||
    sample.has('authenticationmethods', 'mfafactors'),
  clerk: (sample) =>
    idOf(sample).startsWith('user_') &&
    sample.has('primaryemailaddress', 'primaryemailaddressid', 'emailaddresses', 'externalaccounts', 'passwordhasher', 'deleteselfenabled'), // prettier-ignore
  firebase: ({ has }) => has('localid'),
  cognito: ({ has, values }) =>
    has('cognito:username', 'userstatus', 'userattributes', 'usercreatedate') ||
    hasObjects(values['Attributes'], 'Name'),
  supabase: ({ has }) => has('rawusermetadata', 'rawappmetadata', 'encryptedpassword', 'identitydata', 'factortype'),
  'better-auth': ({ hasAll }) =>
    hasAll('userid', 'providerid', 'accountid') || hasAll('userid', 'credentialid', 'publickey', 'devicetype') || hasAll('secret', 'backupcodes'), // prettier-ignore
  'next-auth': ({ hasAll }) =>
    hasAll('userid', 'provider', 'provideraccountid') || hasAll('userid', 'credentialid', 'credentialpublickey'),
  keycloak: ({ values, has }) =>
    (typeof values['realm'] === 'string' && has('users', 'identityproviders', 'enabled', 'id')) ||
    (has('username') &&
      (has(
        'createdtimestamp',
        'requiredactions',
        'federatedidentities',
        'disableablecredentialtypes',
        'notbefore',
        'realmroles',
      ) || // prettier-ignore
        hasObjects(values['credentials'], 'secretData', 'hashedSaltedValue', 'type'))),
  kratos: ({ has }) => has('traits', 'schemaid'),
};

/** The names of the products whose exports such a record is of. */
function vendorsOf(values: Values): readonly string[] {
  const sample = sampleOf(values);
  return Object.keys(SIGNATURES).filter((name) => SIGNATURES[name]?.(sample));
}

/** The records of a file that are looked at: the first ones may lack what the others have. */
const MOST_SAMPLES = 20;

/** Refuses a file of another product, and names that. */
export async function refuseOthers(vendor: string, files: readonly VendorFile[]): Promise<void> {
  for (const { path, records } of files) {
    const found = new Set<string>();
    let count = 0;
    for await (const { values } of records()) {
      for (const name of vendorsOf(values)) found.add(name);
      count += 1;
      if (found.has(vendor) || count === MOST_SAMPLES) break;
    }
    const [other, another] = found;
    if (other === undefined || found.has(vendor)) continue;
    const fits = another === undefined ? `--from ${other}` : [...found].map((name) => `--from ${name}`).join(' or ');
    throw new UsageError(`Nothing was imported. ${path} is no export of ${vendor}: its fields are those of ${fits}.`);
  }
}
