"""The usual solver: playable words by first letter, and a loop in a loop in a loop. Prints how many chains of three words solve a
board, and how long that took. The word list is what `letterboxed lexicon --dump` prints, on standard input:

    npm run -s letterboxed -- lexicon --dump | python3 bench/naive.py riu pgh lcs yao
"""
import sys
import time

sides = sys.argv[1:]
side_of = {letter: side for side, letters in enumerate(sides) for letter in letters}
every = frozenset(side_of)
listed = [line.split("\t")[0] for line in sys.stdin]
began = time.perf_counter()
words = [
    word
    for word in listed
    if all(letter in side_of for letter in word)
    and all(side_of[a] != side_of[b] for a, b in zip(word, word[1:]))
]
by_first = {}
for word in words:
    by_first.setdefault(word[0], []).append((word, frozenset(word)))
solutions = []
for first in words:
    touched = frozenset(first)
    for second, letters in by_first.get(first[-1], ()):
        both = touched | letters
        for third, last in by_first.get(second[-1], ()):
            if both | last == every:
                solutions.append((first, second, third))
print(f"{len(words)} words, {len(solutions)} chains, {time.perf_counter() - began:.1f} s")
