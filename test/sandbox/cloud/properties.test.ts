import { describe, expect, test } from 'vitest';
import { applyPatch } from '../../../src/sandbox/cloud/properties.js';

describe('a JSON patch', () => {
  test('adds, replaces and removes members', () => {
    const patch = [
      { op: 'add', path: '/B', value: 2 },
      { op: 'replace', path: '/A', value: [1] },
      { op: 'remove', path: '/C' },
    ];
    expect(applyPatch({ A: 1, C: 3 }, patch)).toEqual({ A: [1], B: 2 });
  });

  test('addresses array members by their index at that moment', () => {
    const patch = [
      { op: 'remove', path: '/A/0' },
      { op: 'replace', path: '/A/0', value: 'B' },
      { op: 'add', path: '/A/1', value: 'between' },
      { op: 'add', path: '/A/-', value: 'last' },
    ];
    expect(applyPatch({ A: ['a', 'b', 'c'] }, patch)).toEqual({ A: ['B', 'between', 'c', 'last'] });
  });

  test('moves, copies and tests', () => {
    const patch = [
      { op: 'test', path: '/A', value: { x: 1 } },
      { op: 'copy', from: '/A', path: '/B' },
      { op: 'move', from: '/A/x', path: '/y' },
    ];
    expect(applyPatch({ A: { x: 1 } }, patch)).toEqual({ A: {}, B: { x: 1 }, y: 1 });
  });

  test('reads ~1 and ~0 in a pointer as / and ~', () => {
    const patch = [{ op: 'replace', path: '/a~1b~0', value: 2 }];
    expect(applyPatch({ 'a/b~': 1 }, patch)).toEqual({ 'a/b~': 2 });
  });

  test.each([
    ['is not an array', { op: 'add' }],
    ['replaces what is not there', [{ op: 'replace', path: '/X', value: 1 }]],
    ['removes what is not there', [{ op: 'remove', path: '/X' }]],
    ['goes past the end of an array', [{ op: 'add', path: '/A/3', value: 1 }]],
    ['has an index with a leading zero', [{ op: 'add', path: '/A/00', value: 1 }]],
    ['has a test that fails', [{ op: 'test', path: '/A', value: [] }]],
    ['lacks a value', [{ op: 'add', path: '/B' }]],
    ['has an unknown operation', [{ op: 'merge', path: '/A', value: 1 }]],
    ['has a path that is no pointer', [{ op: 'remove', path: 'A' }]],
  ])('is refused when it %s', (_, patch) => {
    const document = { A: [1, 2] };
    expect(() => applyPatch(document, patch)).toThrow('`PatchDocument`');
    expect(document).toEqual({ A: [1, 2] });
  });
});
