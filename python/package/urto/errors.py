"""Exceptions of the package."""


class UrtoError(ValueError):
    """An invalid case, patch, note, file or specification.

    Attributes
    ----------
    field : str
        The field, parameter or file with the fault, such as ``"striker.mass"``. Empty if the whole text is at fault.
    problem : str
        The problem.
    remedy : str
        What is allowed, or how to solve it.
    """

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        place = f"{field}: " if field else ""
        super().__init__(f"{place}{problem}; {remedy}")
        self.field = field
        self.problem = problem
        self.remedy = remedy
