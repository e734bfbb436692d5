import { describe, expect, it } from 'vitest';
import { FieldError } from '#provider/project/readers/readers.ts';
import { projectFrom } from '#provider/project/settings/project.ts';

const TERMS = { terms_id: 'tos', version: '1', title: 'Terms', url: 'https://acme.example/terms' };
const PROFILE = { fields: [{ field: 'first_name' }], terms: [TERMS], url: 'http://localhost:3000/login' };

function mistakesIn(profile: object, more: object = {}): readonly string[] {
  try {
    projectFrom({ profile, ...more });
    return [];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return error.all.map(({ path, must }) => `${path} must be ${must}`);
  }
}

describe('the setting profile', () => {
  it('has defaults for all that a field can leave out', () => {
    const label = { en: 'Company', de: 'Firma' };
    const { profile } = projectFrom({ profile: { ...PROFILE, fields: [{ field: 'company', label }] } });
    expect(profile?.fields).toEqual([{ field: 'company', label, required: true, options: null }]);
    expect(projectFrom({}).profile).toBe(null);
  });

  it('has a text, or one for each language, as label of a field, label of an option and title of terms', () => {
    const label = { en: 'Role', de: 'Rolle' };
    const options = ['Developer', { value: 'design', label: { en: 'Designer', de: 'Gestaltung' } }];
    const title = { en: 'Terms', 'pt-BR': 'Termos' };
    const fields = [{ field: 'role', label, options }];
    const { profile } = projectFrom({ profile: { ...PROFILE, fields, terms: [{ ...TERMS, title }] } });
    expect(profile?.fields[0]).toMatchObject({
      label,
      options: [{ value: 'Developer', label: 'Developer' }, options[1]],
    });
    expect(profile?.terms[0]?.title).toEqual(title);
  });

  it.each<readonly [string, object, string]>([
    ['a field without a label', { fields: [{ field: 'company' }] }, 'profile.fields[0].label must be given'],
    [
      'a name with capitals',
      { fields: [{ field: 'Company', label: 'x' }] },
      'profile.fields[0].field must be small letters',
    ],
    [
      'a name that metadata cannot have',
      { fields: [{ field: 'constructor', label: 'x' }] },
      'profile.fields[0].field must be',
    ],
    [
      'the same field twice',
      { fields: [{ field: 'last_name' }, { field: 'last_name' }] },
      'profile.fields[1].field must be unique',
    ],
    [
      'no options',
      { fields: [{ field: 'a', label: 'x', options: [] }] },
      'profile.fields[0].options must be different values',
    ],
    [
      'the same option twice',
      { fields: [{ field: 'a', label: 'x', options: ['b', 'b'] }] },
      'profile.fields[0].options must be',
    ],
    [
      'the same value in two options',
      { fields: [{ field: 'a', label: 'x', options: ['b', { value: 'b', label: 'c' }] }] },
      'profile.fields[0].options must be different values',
    ],
    [
      'an option without a label',
      { fields: [{ field: 'a', label: 'x', options: ['b', { value: 'c' }] }] },
      'profile.fields[0].options[1].label must be a string',
    ],
    [
      'an option with an empty text for a language',
      { fields: [{ field: 'a', label: 'x', options: [{ value: 'b', label: { en: 'B', de: ' ' } }] }] },
      'profile.fields[0].options[0].label.de must be 1 to 120',
    ],
    [
      'a title for what is no language',
      { terms: [{ ...TERMS, title: { German: 'Bedingungen' } }] },
      'profile.terms[0].title must be a text, or one for each',
    ],
    [
      'a label for no language',
      { fields: [{ field: 'a', label: {} }] },
      'profile.fields[0].label must be a text, or one for each',
    ],
    [
      'an empty text for a language',
      { fields: [{ field: 'a', label: { de: '' } }] },
      'profile.fields[0].label.de must be 1 to 120',
    ],
    [
      'terms without https',
      { terms: [{ ...TERMS, url: 'http://acme.example' }] },
      'profile.terms[0].url must be an https URL',
    ],
    ['terms without a version', { terms: [{ ...TERMS, version: '' }] }, 'profile.terms[0].version must be 1 to 40'],
    ['the same terms twice', { terms: [TERMS, TERMS] }, 'profile.terms[1].terms_id must be unique'],
    ['nothing to ask for', { fields: [], terms: [] }, 'profile.fields must be not empty'],
    [
      'a field with a typing mistake',
      { fields: [{ field: 'last_name', requird: true }] },
      'profile.fields[0].requird must be left out',
    ],
    [
      'too many fields',
      { fields: Array.from({ length: 21 }, (_, at) => ({ field: `f${at}`, label: 'x' })) },
      'profile.fields must be a list of at most 20',
    ],
  ])('refuses %s', (_, changes, mistake) => {
    expect(mistakesIn({ ...PROFILE, ...changes })).toContainEqual(expect.stringContaining(mistake));
  });

  it('refuses a page of another site, which could not ask', () => {
    const settings = {
      allow_loopback: false,
      origins: ['https://app.example'],
      redirect_urls: ['https://app.example/'],
    };
    const found = mistakesIn({ ...PROFILE, url: 'https://other.example/login' }, settings);
    expect(found).toContainEqual(expect.stringContaining('profile.url must be on one of origins'));
    expect(mistakesIn({ ...PROFILE, url: 'https://app.example/login' }, settings)).toEqual([]);
  });
});
