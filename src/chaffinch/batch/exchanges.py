"""The shuffles of engines: what a partition of the work sends to another arrives in the next step.

An `Exchange` has partitions, numbered from 0, which lie spread over an engine's machines. In each
step a function is called for every partition with what was sent to it in the step before, and
returns what it sends: partition → anything that can be pickled, arrays preferably. The data stay
with the engine and spill to its disks; this process receives each partition's report alone.

Ray's is its object store, with tasks that have a result for each target, as those of Ray Data's own
shuffle have; what a node loses is made again. Spark's is `partitionBy` of an RDD whose records are
few, large and opaque to the JVM.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from chaffinch.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_REPORT = -1
"""Target of a partition's report among what it sends."""


class Sent(NamedTuple):
    """What a partition makes in a step.

    Attributes:
        pieces: target partition → what is sent to it.
        report: for this process; small.
    """

    pieces: Mapping[int, Any]
    report: Any = None


class Exchange(Protocol):
    """Partitions of work on an engine that send data to each other.

    Attributes:
        partitions: how many there are.
    """

    partitions: int

    def step(self, work: Callable[[int, list[Any]], Sent]) -> list[Any]:
        """Run ``work(partition, pieces sent to it in the step before)`` for every partition.

        Returns:
            The partitions' reports, in order.

        Raises:
            SetupError: ``work`` raised one, or an OSError.
        """
        ...


class RayExchange:
    """Tasks with a result for each target; results are objects in Ray's store.

    Args:
        ray: the module, initialised.
        partitions: how many.
        options: of the tasks.
    """

    def __init__(self, ray: Any, partitions: int, options: Mapping[str, Any]) -> None:
        self.partitions = partitions
        self._ray, self._options = ray, options
        self._sent: list[list[Any]] = [[] for _ in range(partitions)]

    def step(self, work: Callable[[int, list[Any]], Sent]) -> list[Any]:
        """Run a step, see `Exchange`."""
        count = self.partitions

        def task(partition: int, *pieces: Any) -> tuple[Any, ...]:  # Ray accepts no partials
            sent = _made(work, partition, [piece for piece in pieces if piece is not None])
            return (sent.report, *(sent.pieces.get(target) for target in range(count)))

        remote = self._ray.remote(num_returns=count + 1, **self._options)(task)
        made = [remote.remote(number, *pieces) for number, pieces in enumerate(self._sent)]
        self._sent = [[results[1 + target] for results in made] for target in range(count)]
        return _checked(self._ray.get([results[0] for results in made]))


class SparkExchange:
    """An RDD of pairs of target and piece, kept on disk until the step after has read it.

    Args:
        context: the SparkContext.
        partitions: how many.
        level: the StorageLevel that pieces are kept at.
    """

    def __init__(self, context: Any, partitions: int, level: Any) -> None:
        self.partitions = partitions
        self._level = level
        self._kept = self._sent = context.parallelize([], partitions)

    def step(self, work: Callable[[int, list[Any]], Sent]) -> list[Any]:
        """Run a step, see `Exchange`."""
        arrived = self._sent.partitionBy(self.partitions, int)
        made = arrived.mapPartitionsWithIndex(partial(_spark_step, work)).persist(self._level)
        reports = dict(made.filter(_is_report).values().collect())
        self._kept.unpersist()
        self._kept, self._sent = made, made.filter(_is_piece)
        return _checked([reports[number] for number in range(self.partitions)])


def _spark_step(
    work: Callable[[int, list[Any]], Sent], partition: int, arrived: Iterable[tuple[int, Any]]
) -> Iterator[tuple[int, Any]]:
    sent = _made(work, partition, [piece for _, piece in arrived])
    yield _REPORT, (partition, sent.report)
    yield from sent.pieces.items()


def _is_report(record: tuple[int, Any]) -> bool:
    return record[0] == _REPORT


def _is_piece(record: tuple[int, Any]) -> bool:
    return record[0] != _REPORT


class _Problem(NamedTuple):
    """The report of a partition that failed: engines wrap exceptions in their own."""

    words: str


def _made(work: Callable[[int, list[Any]], Sent], partition: int, pieces: list[Any]) -> Sent:
    try:
        return work(partition, pieces)
    except (SetupError, OSError) as error:
        return Sent({}, _Problem(str(error)))


def _checked(reports: list[Any]) -> list[Any]:
    for report in reports:
        if isinstance(report, _Problem):
            raise SetupError(report.words)
    return reports
