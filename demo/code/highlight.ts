import { parse, type ParsedToken, type ParseOptions, type TokenType } from 'sugar-high/core';
import * as html from 'sugar-high/lang/html';
import * as ts from 'sugar-high/lang/typescript';

/** The package types its presets more narrowly than what takes them. */
const TS = ts as ParseOptions;
const HTML = html as ParseOptions;

export interface Piece {
  readonly text: string;
  /** What colours it: a class of the stylesheet; null for plain text. */
  readonly kind: string | null;
}

/** Kinds that look like plain text, or that lines and blanks have. */
const PLAIN: ReadonlySet<TokenType> = new Set(['identifier', 'sign', 'space', 'break', 'jsxliterals', 'property']);
const SCRIPT = /(?<=<script[^>]*>\n)[\s\S]*?(?=<\/script>)/gu;

/** Code in coloured pieces, which joined are the code. */
export function highlight(code: string, language: 'ts' | 'html'): readonly Piece[] {
  if (language === 'ts') return piecesOf(code, TS);
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of code.matchAll(SCRIPT)) {
    pieces.push(...piecesOf(code.slice(at, found.index), HTML), ...piecesOf(found[0], TS));
    at = found.index + found[0].length;
  }
  return [...pieces, ...piecesOf(code.slice(at), HTML)];
}

function piecesOf(code: string, language: ParseOptions): readonly Piece[] {
  const lines = parse(code, language).lines.map(({ tokens }) => tokens.filter(({ type }) => type !== 'break'));
  const pieces = lines.flatMap((tokens, line) => [
    ...(line > 0 ? [{ text: '\n', kind: null }] : []),
    ...tokens.map(pieceOf),
  ]);
  // Colours are worth nothing where the code would be another one.
  return pieces.map(({ text }) => text).join('') === code ? pieces : [{ text: code, kind: null }];
}

const pieceOf = ({ type, value }: ParsedToken): Piece => ({ text: value, kind: PLAIN.has(type) ? null : type });
