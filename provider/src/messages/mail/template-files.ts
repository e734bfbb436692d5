import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf, type Language } from '#domain/widget/language.ts';
import { checkSubject, purposeOf, TemplateError, Templates, type TemplateText } from '../texts/templates.ts';

const FILE = /^([\w-]{1,64})(?:\.(\w{2}))?\.(txt|html)$/u;

/** The maximum size, because Gmail hides everything after the first 102 kB of an email. */
const MAX_BYTES = 100 * 1024;

interface Files {
  txt?: string;
  html?: string;
}

const nameOf = (id: string, language: string, type: string): string =>
  [id, ...(language === '' ? [] : [language]), type].join('.');

/** Adds the file's name to an error about its contents. */
function within<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TemplateError) throw new TemplateError(`${name} ${error.message}`);
    throw error;
  }
}

function sourceOf(folder: string, name: string): string {
  const path = join(folder, name);
  if (statSync(path).size > MAX_BYTES) throw new TemplateError(`${name} is longer than ${MAX_BYTES / 1024} kB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    throw new TemplateError(`${name} is not UTF-8`);
  }
}

/** Reads `Subject: …`, an empty line and the text. */
function templateText(id: string, language: string, { txt, html }: Files): TemplateText {
  const name = nameOf(id, language, 'txt');
  if (txt === undefined) throw new TemplateError(`${name} is missing: ${nameOf(id, language, 'html')} needs it`);
  const [, subject, text] = /^Subject:[^\S\r\n]*(\S.*)\r?\n\r?\n([^]*)$/u.exec(txt) ?? [];
  if (subject === undefined || text === undefined) {
    throw new TemplateError(`${name} must begin with a line "Subject: …" and an empty line`);
  }
  const purpose = within(name, () => {
    checkSubject(subject);
    return purposeOf(text);
  });
  if (html === undefined) return { purpose, subject, text, html: null };
  const htmlName = nameOf(id, language, 'html');
  if (within(htmlName, () => purposeOf(html)) !== purpose) {
    throw new TemplateError(`${htmlName} and ${name} must both have {{code}}, or both have {{link}}`);
  }
  return { purpose, subject, text, html };
}

/** Reads the files of a folder by id and language. Hidden files and notes (`.md`) are ignored. */
function filesIn(folder: string): ReadonlyMap<string, ReadonlyMap<Language | '', Files>> {
  const found = new Map<string, Map<Language | '', Files>>();
  for (const name of readdirSync(folder).sort()) {
    if (name.startsWith('.') || name.endsWith('.md')) continue;
    const [, id, tag, type] = FILE.exec(name) ?? [];
    const language = tag === undefined ? '' : languageOf(tag);
    if (id === undefined || language === null) {
      throw new TemplateError(
        `${name} is not the name of a template: that is ID.txt, ID.html, ID.de.txt or ID.de.html`,
      );
    }
    const languages = found.get(id) ?? new Map<Language | '', Files>();
    const files = languages.get(language) ?? {};
    files[type === 'txt' ? 'txt' : 'html'] = sourceOf(folder, name);
    found.set(id, languages.set(language, files));
  }
  return found;
}

/** Reads and checks the templates in a folder. Throws a TemplateError that names the file. */
export function templatesIn(folder: string): Templates {
  const templates = new Map<string, ReadonlyMap<Language | '', TemplateText>>();
  for (const [id, languages] of filesIn(folder)) {
    const texts = new Map(
      [...languages].map(([language, files]) => [language, templateText(id, language, files)] as const),
    );
    const standard = texts.get('');
    if (standard === undefined)
      throw new TemplateError(`${id}.txt is missing, for languages without a file of their own`);
    for (const [language, { purpose, html }] of texts) {
      if (purpose !== standard.purpose || (html === null) !== (standard.html === null)) {
        throw new TemplateError(
          `${id}: the files in the language ${language} must be of the same kinds as ${id}.txt and ${id}.html`,
        );
      }
    }
    templates.set(id, texts);
  }
  return new Templates(templates);
}
