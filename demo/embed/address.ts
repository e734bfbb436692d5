import { DEFAULTS, writeChoices, type Choices } from '../parts/choices.ts';
import { isClientName, type ClientName } from './clients.ts';
import { isShownName, type ShownName } from './shown.ts';

/** The part of an example's URL that is not a choice of the playground. */
export interface ExampleSelection {
  readonly widget: ShownName;
  readonly client: ClientName;
}

/** Unknown names are ignored. */
export function readShown(search: string): ExampleSelection {
  const query = new URLSearchParams(search);
  const widget = query.get('widget') ?? '';
  const client = query.get('client') ?? '';
  return { widget: isShownName(widget) ? widget : 'login', client: isClientName(client) ? client : 'plain' };
}

/** The URL of an example. */
export function exampleAddress(
  choices: Partial<Choices>,
  { widget = 'login', client = 'plain' }: Partial<ExampleSelection> = {},
): string {
  const query = new URLSearchParams(writeChoices({ ...DEFAULTS, ...choices }));
  if (widget !== 'login') query.set('widget', widget);
  if (client !== 'plain') query.set('client', client);
  return `/embed${query.size > 0 ? `?${query.toString()}` : ''}`;
}
