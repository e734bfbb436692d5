import { beforeCalls } from './mounts.ts';
import { inBackendTerms, isRefusalName } from './refusal-names.ts';
import { SourceGraph, type Place } from './source-graph.ts';
import type { RefusalType } from '#domain/rules/refusal.ts';
import { CALLER_KINDS, type CallGate, type Gate } from '#domain/rules/gates.ts';
import type { ErrorFormat } from './errors.ts';

/** Where the routes of an API are joined. */
const ROUTES: Readonly<Record<ErrorFormat, readonly [file: string, name: string]>> = {
  client: ['provider/src/api/routes.ts', 'routesWith'],
  backend: ['provider/src/api/backend/routes.ts', 'backendRoutes'],
};
/** The function that mounts an API, and the name of the prefix of its paths. */
const MOUNTS: Readonly<Record<ErrorFormat, readonly [mount: string, prefix: string]>> = {
  client: ['mountEndpoints', 'API_PREFIX'],
  backend: ['mountBackend', 'BACKEND_PREFIX'],
};
/** The providers of social logins are arguments of the routes. */
const SOCIAL = 'provider/src/accounts/social/providers/social-providers.ts';

/** The gate's refusals, also those of its variants. */
function ofGate(gate: CallGate): readonly RefusalType[] {
  const rows: readonly (Gate | undefined)[] = [gate, gate.adds, gate.proves, gate.asked, gate.silent, gate.lasting];
  return rows.flatMap((row) =>
    row === undefined ? [] : CALLER_KINDS.flatMap((kind) => (row[kind] === 'passes' ? [] : [row[kind]])),
  );
}

/** Finds out which refusals the code of a call can raise: those that it names, directly or in the functions that it uses. */
export class ThrownTypes {
  private readonly graph = new SourceGraph();

  /** The types that every call of an API can have. */
  everywhere(format: ErrorFormat): ReadonlySet<RefusalType> {
    return this.types(format, beforeCalls(this.graph, ...MOUNTS[format]));
  }

  /** The types of the named functions of a file. */
  ofCode(format: ErrorFormat, file: string, ...names: readonly string[]): ReadonlySet<RefusalType> {
    return this.types(format, this.graph.placesIn(file, names));
  }

  /** The types of each call, by area and name, without those that its gate refuses. */
  byCall(format: ErrorFormat): (area: string, name: string, gate: CallGate) => ReadonlySet<RefusalType> {
    const [file, name] = ROUTES[format];
    const [table] = this.graph.placesIn(file, [name]);
    const areas = table === undefined ? new Map<string, Place[]>() : this.graph.membersOf(table);
    return (area, call, gate) => {
      const routes = (areas.get(area) ?? []).map((place) => this.graph.membersOf(place));
      const places = routes.flatMap((members) => [...(members.get(call) ?? []), ...(members.get('*') ?? [])]);
      if (places.length === 0) throw new Error(`The route of ${area}.${call} was not found.`);
      const social = area === 'oauth' ? this.graph.placesIn(SOCIAL) : [];
      return new Set([...this.types(format, [...places, ...social]), ...ofGate(gate)]);
    };
  }

  private types(format: ErrorFormat, places: readonly Place[]): ReadonlySet<RefusalType> {
    const named = [...this.graph.textsFrom(places)].filter(isRefusalName);
    return new Set(format === 'backend' ? named.flatMap(inBackendTerms) : named);
  }
}
