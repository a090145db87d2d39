"""As much of torch as the embedder's child asks for."""


def set_num_threads(number: int) -> None:
    print("noise:", number)
