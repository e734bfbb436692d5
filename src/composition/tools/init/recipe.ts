import type { Router } from './mounted-router.ts';

/** The files, settings and steps that make a login of an app. */
export interface Recipe {
  /** The app has one of these files. If its path begins with `src/` and the first does not, the files belong in `src/`. */
  readonly entries: readonly string[];
  /** What each file is, by the name under which the guide shows it. */
  readonly files: Readonly<Record<string, string>>;
  /** Those of the files that stay in the app's root when the others belong in `src/`. */
  readonly inRoot?: readonly string[];
  /** The names of the environment's variables. */
  readonly variables: { readonly apiUrl: string; readonly publicToken: string; readonly projectId?: string };
  /** Scripts of package.json. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** The router that the app's server mounts. */
  readonly router?: Router;
  /** Another page of the package that shows some of the files. */
  readonly pages?: string;
  /** A package without which the app is of another kind. */
  readonly needs?: string;
  /** A text without which a file of settings does not fit, and the file's names. */
  readonly setting?: { readonly text: string; readonly files: readonly string[] };
  /** The types in the files, and what is in their place in an app without TypeScript. Absent if `init` needs TypeScript. */
  readonly types?: readonly (readonly [type: string, instead: string])[];
  /** The package of another kind of app, for which the files are not. */
  readonly unsuited?: string;
  /** What to do next. `manager` is the package manager, such as `npm`, and `entry` the file that starts the app's server. */
  readonly steps: (app: { readonly manager: string; readonly entry: string }) => readonly string[];
}

export interface Framework {
  readonly title: string;
  /** An app of the framework depends on all packages of one of these lists. */
  readonly packages: readonly (readonly string[])[];
  /** Other frameworks whose packages such an app has, too. */
  readonly includes?: readonly string[];
  /** The page of the package that shows the files. */
  readonly guide: string;
  /** Absent if `init` writes no files for the framework. */
  readonly recipe?: Recipe;
}
