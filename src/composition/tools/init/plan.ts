import { CommandError } from '../command-error.ts';
import type { App } from './app.ts';
import type { Change } from './change.ts';
import { envChange } from './env-file.ts';
import { frameworkOf, type FrameworkName } from './frameworks.ts';
import { guideFiles } from './guide-files.ts';
import { isUntyped, untypedName, untypedText } from './untyped.ts';
import { mountChange } from './mounted-router.ts';
import { scriptsChange } from './package-scripts.ts';
import type { Recipe } from './recipe.ts';

/** The provider and the project of the app. */
export interface Project {
  readonly apiUrl: string;
  readonly publicToken: string;
  readonly projectId: string;
}

/** How `init` makes apps of the framework. Throws a `CommandError` if it does not, or not for this app. */
export function recipeFor(name: FrameworkName, app: App, guide: string): Recipe {
  const { title, recipe } = frameworkOf(name);
  if (recipe === undefined) {
    throw new CommandError(`init writes no files for ${title} yet. The guide shows them: ${guide}`);
  }
  const { unsuited, needs, entries } = recipe;
  if (needs !== undefined && !app.manifest.packages.has(needs)) {
    throw new CommandError(`init writes no files for ${title} without ${needs} yet. The guide is ${guide}`);
  }
  if (unsuited !== undefined && app.manifest.packages.has(unsuited)) {
    throw new CommandError(`init writes no files for ${title} with ${unsuited} yet. The guide is ${guide}`);
  }
  if (entries.length === 0 || entries.some((path) => app.read(path) !== null)) return recipe;
  if (isUntyped(recipe, app) && recipe.types !== undefined) return recipe;
  const cause = isUntyped(recipe, app)
    ? `has ${entries.map(untypedName).join(' or ')}, and init writes TypeScript`
    : 'is of another kind';
  throw new CommandError(`For ${title}, init needs ${entries.join(' or ')}. This app ${cause}. The guide is ${guide}`);
}

/** The folder of the recipe's files: `src/` in an app whose entry is there and that could have it in its root, else none. */
function folderOf({ entries }: Recipe, app: App): string {
  const entry = entries.find((path) => app.read(path) !== null) ?? '';
  return entry.startsWith('src/') && entries[0]?.startsWith('src/') === false ? 'src/' : '';
}

function variablesOf({ variables }: Recipe, { apiUrl, publicToken, projectId }: Project): Record<string, string> {
  const pages = { [variables.apiUrl]: apiUrl, [variables.publicToken]: publicToken };
  return variables.projectId === undefined ? pages : { ...pages, [variables.projectId]: projectId };
}

/** What `init` changes in an app, in the order in which it tells it. */
export function changesOf(recipe: Recipe, app: App, markdown: string, project: Project): readonly Change[] {
  const texts = guideFiles(markdown);
  const folder = folderOf(recipe, app);
  const types = isUntyped(recipe, app) ? recipe.types : undefined;
  const files = Object.entries(recipe.files).map(([name, purpose]) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`The guide does not show ${name}.`);
    const place = recipe.inRoot?.includes(name) === true ? name : `${folder}${name}`;
    const path = types === undefined ? place : untypedName(place);
    const after = types === undefined ? text : untypedText(text, types);
    return { path, purpose, before: app.read(path), after };
  });
  const mounted = recipe.router === undefined ? null : mountChange(app, recipe.router);
  return [
    envChange(app, variablesOf(recipe, project)),
    ...files,
    ...(recipe.scripts === undefined ? [] : [scriptsChange(app, recipe.scripts)]),
    ...(mounted === null ? [] : [mounted]),
  ];
}
