import mustache from 'mustache';
import type { Language } from '#domain/widget/language.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { MessageValues } from './contents.ts';
import { isPasscodeKind, type MessageKind } from './kinds.ts';
import type { Wording } from './wording.ts';

/** The placeholders of a template. */
const PLACEHOLDERS = [
  'project',
  'code',
  'link',
  'duration',
  'login_link',
  'login_duration',
  'time',
  'device',
  'language',
  'direction',
] as const;

type View = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

/** The placeholder that a template must contain: the code or the link. */
export type TemplatePurpose = 'code' | 'link';

/** An error in a template file. The message follows the file's name, as in `welcome.html has …`. */
export class TemplateError extends Error {}

/** The texts of one template in one language. */
export interface TemplateText {
  readonly purpose: TemplatePurpose;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** A token of mustache's parser: type, name, positions, and for a section the tokens within. */
type Token = readonly [type: string, name: string, from: number, to: number, within?: readonly Token[]];

function tokensOf(source: string): readonly Token[] {
  try {
    return mustache.parse(source) as unknown as readonly Token[];
  } catch (error) {
    throw new TemplateError(`cannot be parsed: ${error instanceof Error ? error.message.slice(0, 200) : ''}`);
  }
}

function checkToken([type, name, , , within]: Token): void {
  if (type === 'text' || type === '!') return;
  if (type === '>') throw new TemplateError('includes another file, which templates cannot');
  if (type === '=') throw new TemplateError('changes the delimiters, which must stay {{ and }}');
  if (type === '&') throw new TemplateError(`has {{{${name}}}} or {{&${name}}}: only {{${name}}} is escaped`);
  if (!PLACEHOLDERS.some((placeholder) => placeholder === name)) {
    throw new TemplateError(`has the unknown placeholder {{${name}}}; there are ${PLACEHOLDERS.join(', ')}`);
  }
  within?.forEach(checkToken);
}

/** The purpose of a template: which of the two placeholders it always shows. */
export function purposeOf(source: string): TemplatePurpose {
  const tokens = tokensOf(source);
  tokens.forEach(checkToken);
  const shows = (placeholder: string): boolean =>
    tokens.some(([type, name]) => type === 'name' && name === placeholder);
  const [code, link] = [shows('code'), shows('link')];
  if (code && link) throw new TemplateError('has both {{code}} and {{link}}: a message has only one of them');
  if (!code && !link) throw new TemplateError('has neither {{code}} nor {{link}} outside of sections');
  return code ? 'code' : 'link';
}

/** Checks the subject of a template. */
export function checkSubject(source: string): void {
  const tokens = tokensOf(source);
  tokens.forEach(checkToken);
  const first = source.indexOf('{{');
  if (first >= 0 && source.includes('link', first)) throw new TemplateError('has a link in its subject');
}

function viewOf(wording: Wording, values: MessageValues): View {
  const { at, minutes, login_minutes } = values;
  return {
    project: values.project,
    code: values.code ?? '',
    link: values.link ?? '',
    login_link: values.login_link ?? '',
    device: values.device ?? '',
    duration: wording.duration(minutes),
    login_duration: login_minutes === undefined ? '' : wording.duration(login_minutes),
    time: wording.time(at),
    language: wording.language,
    direction: wording.direction,
  };
}

/** Text needs no escaping; a subject is a single line. */
const PLAIN = { escape: (value: unknown) => String(value) };

/** The project's own templates by id. */
export class Templates {
  /** @param templates by id, then by language; the empty language applies to all others */
  constructor(private readonly templates: ReadonlyMap<string, ReadonlyMap<Language | '', TemplateText>>) {}

  get ids(): readonly string[] {
    return [...this.templates.keys()].sort();
  }

  purpose(id: string): TemplatePurpose | undefined {
    return this.templates.get(id)?.get('')?.purpose;
  }

  private of(id: string, language: Language): TemplateText | undefined {
    const found = this.templates.get(id);
    return found?.get(language) ?? found?.get('');
  }

  /** The subject and the plain text; null if the template no longer exists. */
  write(
    id: string,
    wording: Wording,
    values: MessageValues,
  ): { readonly subject: string; readonly text: string } | null {
    const found = this.of(id, wording.language);
    if (found === undefined) return null;
    const view = viewOf(wording, values);
    const subject = mustache.render(found.subject, view, {}, PLAIN).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
    return { subject: subject.trim(), text: mustache.render(found.text, view, {}, PLAIN) };
  }

  /** The HTML; null for a plain-text template. */
  html(id: string, wording: Wording, values: MessageValues): string | null {
    const html = this.of(id, wording.language)?.html ?? null;
    return html === null ? null : mustache.render(html, viewOf(wording, values));
  }
}

/** Refuses a template that does not exist, or lacks the placeholder of this kind of message. */
export function checkTemplate(
  { templates }: { readonly templates?: Templates },
  kind: MessageKind,
  [field, id]: readonly [field: string, id: string | undefined],
): void {
  if (id === undefined) return;
  const purpose = templates?.purpose(id);
  if (purpose === undefined) throw new Refusal('email_template_not_found', `${field} is not the id of a template.`);
  const messagePurpose = isPasscodeKind(kind) ? 'code' : 'link';
  if (purpose !== messagePurpose) {
    throw new Refusal(
      'email_template_not_found',
      `${field} is the id of a template for a ${purpose}, not for a ${messagePurpose}.`,
    );
  }
}
